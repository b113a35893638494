'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { useProblemText } from '@/components/ui/use-problem-text';

/** Bounds the wait for the check: the server reads the log from its beginning. */
const CHECK_WITHIN_MS = 120_000;

/** Shows whether the log is whole. It is green only because the server recomputed the log. */
export function AuditCheck() {
  const t = useTranslations('AdminAudit');
  const localDate = useLocalDate();
  const problemText = useProblemText();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['admin-audit-check'],
    queryFn: ({ signal }) =>
      request('GET /api/admin/audit/verification', { signal, timeoutMs: CHECK_WITHIN_MS }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <section
      aria-label={t('check')}
      className="grid min-h-54 content-start justify-items-start gap-3 sm:min-h-40"
    >
      {error ? (
        <Notice tone="danger" role="alert">
          {problemText(error)}
        </Notice>
      ) : data ? (
        <Notice tone={data.ok ? 'success' : 'danger'} role="status" className="w-full">
          <p className="font-semibold">{data.ok ? t('whole', { count: data.entries }) : t('broken')}</p>
          {data.ok ? (
            <p className="break-all text-sm">{data.lastHash && t('lastHash', { hash: data.lastHash })}</p>
          ) : (
            <p className="break-words text-sm">{data.detail}</p>
          )}
          <p className="text-sm tabular-nums">
            {t('checkedAt', { time: localDate(data.checkedAt, 'time') })}
          </p>
        </Notice>
      ) : (
        <p role="status" className="text-muted">
          {t('checking')}
        </p>
      )}
      <Button isBusy={isFetching} onClick={() => void refetch()}>
        {isFetching ? t('checking') : t('checkAgain')}
      </Button>
    </section>
  );
}
