'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';

const EVERY_MS = 5_000;

/**
 * Lists the updates that have not reached the cache or the CDN, since when, and when the server tries again. Shows
 * nothing when all have arrived.
 */
export function SyncFailures() {
  const t = useTranslations('Admin');
  const localDate = useLocalDate();
  const { data } = useQuery({
    queryKey: ['admin-sync-failures'],
    queryFn: ({ signal }) => request('GET /api/admin/sync-failures', { signal }),
    refetchInterval: EVERY_MS,
    retry: false,
  });
  if (!data || data.failures.length === 0) return null;
  return (
    <Notice tone="warning" role="status">
      <h2 className="font-semibold">{t('syncHeading')}</h2>
      <p>{t('syncText')}</p>
      <ul className="mt-2 grid gap-2">
        {data.failures.map(({ kind, name, since, attempts, nextTryAt, error }) => (
          <li key={`${kind} ${name}`} className="grid">
            <span className="break-all font-medium">
              {t(kind === 'cdn' ? 'syncCdn' : 'syncCache')}: {name}
            </span>
            <span className="tabular-nums">
              {t('syncSince', { time: localDate(since, 'time'), count: attempts })}{' '}
              {nextTryAt === null ? t('syncGivenUp') : t('syncNext', { time: localDate(nextTryAt, 'time') })}
            </span>
            {error === null ? null : <span className="break-all text-sm">{error}</span>}
          </li>
        ))}
      </ul>
      {data.nextCursor === null ? null : <p className="mt-2">{t('syncMore')}</p>}
    </Notice>
  );
}
