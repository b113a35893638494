'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { SaleFrame } from './sale-frame';
import { SwitchboardLink } from './switchboard-link';

const EVERY_MS = 5_000;

/** Shows a sale while the live view is switched off: its state, stock and actions, which don't depend on it. */
export function SaleWithoutFigures({ saleId }: { saleId: string }) {
  const t = useTranslations('AdminSwitchboard');
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['admin-situation', saleId],
    queryFn: ({ signal }) =>
      request('GET /api/admin/sales/{saleId}/situation', { params: { saleId }, signal }),
    refetchInterval: EVERY_MS,
    gcTime: 0,
  });
  const notice = (
    <Notice tone="warning" role="status">
      {t('liveIsOff')} <SwitchboardLink />
    </Notice>
  );
  if (!data)
    return (
      <div className="grid gap-3">
        {notice}
        <Problem error={error} />
      </div>
    );
  return (
    <SaleFrame
      situation={data}
      freshAt={dataUpdatedAt}
      isStreaming={false}
      refresh={() => void refetch()}
      running={() => notice}
    />
  );
}
