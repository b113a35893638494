'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Card } from '@/components/ui/card';

/** Shows the shopper's points, if there are any. The shop writes them a moment after the payment. */
export function PointsStrip() {
  const t = useTranslations('Points');
  const { data } = useQuery({
    queryKey: ['points'],
    queryFn: ({ signal }) => request('GET /api/points', { query: { limit: 1 }, signal }),
    staleTime: 0,
    refetchInterval: 15_000,
    retry: false,
  });
  if (!data || data.balance === 0) return null;
  return (
    <Card className="flex flex-wrap items-baseline justify-between gap-x-4 p-5">
      <p className="font-semibold text-lg tabular-nums">{t('balance', { count: data.balance })}</p>
      <p className="text-muted text-sm">{t('rule')}</p>
    </Card>
  );
}
