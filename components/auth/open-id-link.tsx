'use client';

import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { Suspense } from 'react';
import { request } from '@/components/api/request';
import { buttonStyle } from '@/components/ui/button';

/** Leads to the server that signs people in, where the shop has one. Shows nothing otherwise. */
export function OpenIdLink() {
  return (
    // The prerendered page knows no query.
    <Suspense fallback={null}>
      <WithQuery />
    </Suspense>
  );
}

function WithQuery() {
  const t = useTranslations('Auth');
  const locale = useLocale();
  const callbackUrl = useSearchParams().get('callbackUrl');
  const { data } = useQuery({
    queryKey: ['sign-in-ways'],
    queryFn: ({ signal }) => request('GET /api/sign-in-ways', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data?.openId) return null;
  const query = new URLSearchParams({ locale, ...(callbackUrl ? { callbackUrl } : {}) });
  return (
    <div className="grid gap-4">
      <p className="text-center text-muted">{t('or')}</p>
      {/* A link, and no form: the page's policy lets forms go to this site alone, and this leads on to another. */}
      <a href={`/api/auth/signin/openid?${query}`} className={buttonStyle({ size: 'lg' })}>
        <span className="truncate">{t('openId', { name: data.openId.name })}</span>
      </a>
    </div>
  );
}
