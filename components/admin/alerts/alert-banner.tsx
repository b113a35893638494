'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { useMay } from '@/components/session/use-may';
import { Notice } from '@/components/ui/notice';
import { Link } from '@/i18n/navigation';

const EVERY_MS = 15_000;

/** Shows on every page of the admin area how many alerts are firing. Shows nothing while none is. */
export function AlertBanner() {
  const t = useTranslations('AdminAlerts');
  const maySee = useMay('seeAdmin');
  const { data } = useQuery({
    queryKey: ['GET /api/admin/alerts', 'counts'],
    queryFn: ({ signal }) => request('GET /api/admin/alerts', { query: { limit: 1 }, signal }),
    refetchInterval: EVERY_MS,
    retry: false,
    enabled: maySee,
  });
  return (
    <aside aria-label={t('heading')} className="mx-auto w-full max-w-6xl px-4 sm:px-6">
      {/* Stands here before its text comes; otherwise a screen reader would not announce the text. */}
      <div role="status">
        {data && data.firing > 0 ? (
          <Notice className="mt-4" tone={data.unacknowledged > 0 ? 'danger' : 'warning'}>
            <Link href="/admin/alerts" prefetch={false} className="font-semibold underline">
              {t('banner', { firing: data.firing, open: data.unacknowledged })}
            </Link>
          </Notice>
        ) : null}
      </div>
    </aside>
  );
}
