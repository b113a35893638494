'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { useMay } from '@/components/session/use-may';
import { useSession } from '@/components/session/use-session';
import { cn } from '@/components/ui/cn';
import { Link } from '@/i18n/navigation';

const EVERY_MS = 15_000;

/**
 * Says on every page of the admin area whether all is well, or how many alerts are firing. Its line has one height,
 * so that nothing below moves when the answer comes.
 */
export function AlertBanner() {
  const t = useTranslations('AdminAlerts');
  const { status } = useSession();
  const maySee = useMay('seeAdmin');
  const { data } = useQuery({
    queryKey: ['GET /api/admin/alerts', 'counts'],
    queryFn: ({ signal }) => request('GET /api/admin/alerts', { query: { limit: 1 }, signal }),
    refetchInterval: EVERY_MS,
    retry: false,
    enabled: maySee,
  });
  if (status !== 'loading' && !maySee) return null;
  return (
    <aside aria-label={t('heading')} className={cn('border-line border-b', data ? tintOf(data) : 'bg-panel')}>
      {/* Stands here before its text comes; otherwise a screen reader would not announce the text. */}
      <div
        role="status"
        className="mx-auto flex h-9 max-w-6xl items-center overflow-hidden whitespace-nowrap px-4 text-sm sm:px-6"
      >
        {data && data.firing > 0 ? (
          <Link href="/admin/alerts" prefetch={false} className="font-semibold underline underline-offset-4">
            {t('banner', { firing: data.firing, open: data.unacknowledged })}
          </Link>
        ) : null}
        {data?.firing === 0 ? t('empty.active') : null}
      </div>
    </aside>
  );
}

function tintOf({ firing, unacknowledged }: { firing: number; unacknowledged: number }): string {
  if (firing === 0) return 'bg-panel text-muted';
  return unacknowledged > 0 ? 'bg-danger-soft text-danger' : 'bg-warning-soft text-warning';
}
