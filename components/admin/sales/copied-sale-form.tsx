'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/api/request';
import { Problem } from '@/components/ui/problem';
import { SaleForm } from './sale-form';

interface CopiedSaleFormProps {
  /** The sale that the new one is to be like. */
  saleId: string;
  onSaved: (saleId: string) => void;
}

/** Makes a new sale from the values of another one, which may be over. */
export function CopiedSaleForm({ saleId, onSaved }: CopiedSaleFormProps) {
  const { data: model, error } = useQuery({
    queryKey: ['admin-sale', saleId],
    queryFn: ({ signal }) => request('GET /api/admin/sales/{saleId}', { params: { saleId }, signal }),
    staleTime: Infinity,
    gcTime: 0,
  });
  return model ? <SaleForm draft={null} model={model} onSaved={onSaved} /> : <Problem error={error} />;
}
