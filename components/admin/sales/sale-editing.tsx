'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { useMayInShop } from '../kit/use-shops';
import { EditPublished } from './edit-published';
import { PreflightList } from './preflight';
import { SaleForm } from './sale-form';

interface SaleEditingProps {
  sale: SaleInfo;
  /** True if the sale is neither closed nor over. */
  isOpen: boolean;
  hasStarted: boolean;
  onChange: () => void;
}

/** Edits what can change in the sale's state. A draft can change in full; its check list before publishing is shown too. */
export function SaleEditing({ sale, isOpen, hasStarted, onChange }: SaleEditingProps) {
  const mayEdit = useMayInShop('settings');
  if (sale.status === 'draft') return <Draft saleId={sale.saleId} mayEdit={mayEdit} onChange={onChange} />;
  return isOpen && mayEdit ? (
    <EditPublished key={sale.saleId} sale={sale} hasStarted={hasStarted} onChange={onChange} />
  ) : null;
}

function Draft({ saleId, mayEdit, onChange }: { saleId: string; mayEdit: boolean; onChange: () => void }) {
  const t = useTranslations('AdminSales');
  const client = useQueryClient();
  const [isEditing, setIsEditing] = useState(false);
  const { data: draft } = useQuery({
    queryKey: ['admin-sale', saleId],
    queryFn: ({ signal }) => request('GET /api/admin/sales/{saleId}', { params: { saleId }, signal }),
    enabled: isEditing,
    // Never reload the draft during editing: it must not change under the editor's hands.
    staleTime: Infinity,
    gcTime: 0,
  });
  const end = () => {
    setIsEditing(false);
    void client.invalidateQueries({ queryKey: ['admin-preflight', saleId] });
    onChange();
  };
  return (
    <div className="grid gap-6">
      {mayEdit ? (
        <Button
          className="justify-self-start"
          aria-expanded={isEditing}
          onClick={() => setIsEditing(!isEditing)}
        >
          {t(isEditing ? 'stopEditing' : 'edit')}
        </Button>
      ) : null}
      {isEditing && draft ? <SaleForm draft={draft} onSaved={end} /> : null}
      <PreflightList saleId={saleId} />
    </div>
  );
}
