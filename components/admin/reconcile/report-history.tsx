'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { useLocalDate } from '@/components/ui/use-local-date';
import { ReportBadge } from './report-badge';

interface ReportHistoryProps {
  saleId: string;
  /** The id of the report that the user looks at; null: the last one. */
  shown: string | null;
  onShow: (reportId: string) => void;
}

/** Lists the reports that are kept. At one a minute, these are the last twenty minutes. */
export function ReportHistory({ saleId, shown, onShow }: ReportHistoryProps) {
  const t = useTranslations('AdminReconcile');
  const localDate = useLocalDate();
  const { data } = useQuery({
    queryKey: ['reconcile-reports', saleId],
    queryFn: ({ signal }) =>
      request('GET /api/admin/sales/{saleId}/reconcile/reports', { params: { saleId }, signal }),
  });
  if (!data || data.reports.length < 2) return null;
  return (
    <details className="rounded-card border border-line bg-panel px-5">
      <summary className="flex min-h-12 items-center font-medium">
        {t('kept', { count: data.reports.length })}
      </summary>
      <ul className="divide-y divide-line pb-3">
        {data.reports.map(({ reportId, checkedAt, found, repaired, ok }) => (
          <li key={reportId} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1">
            <span className="tabular-nums">{localDate(checkedAt, 'time')}</span>
            <ReportBadge report={{ ok, found }} />
            <span className="text-muted text-sm">{t('outcome', { found, repaired })}</span>
            <Button
              tone="plain"
              className="ml-auto"
              aria-pressed={shown === reportId}
              aria-label={t('showNamed', { time: localDate(checkedAt, 'time') })}
              onClick={() => onShow(reportId)}
            >
              {t('showOne')}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
