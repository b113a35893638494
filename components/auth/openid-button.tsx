'use client';

import { useMutation } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { fetchJson } from '@/components/api/fetch-json';
import { useSignInServer } from '@/components/session/use-session';
import { Button } from '@/components/ui/button';
import { Problem } from '@/components/ui/problem';
import { pageAddress } from '@/i18n/page-address';
import { callbackPath } from './callback-path';

/** The sign-in server may be asked for this long before the shop gives up. */
const WITHIN_MS = 15_000;

/** Leads to the shop's sign-in server. Shows nothing where the shop has none. */
export function OpenIdButton() {
  const t = useTranslations('Auth');
  const locale = useLocale();
  const name = useSignInServer();
  const begin = useMutation({
    mutationFn: () => {
      const path = callbackPath(window.location.search, window.location.origin);
      const body = { locale, callbackUrl: pageAddress(path, locale) };
      return fetchJson<{ url: string }>('/api/auth/signin/openid', {
        method: 'POST',
        body,
        timeoutMs: WITHIN_MS,
      });
    },
    // Not a form: the page's policy lets forms lead to this site alone.
    onSuccess: ({ url }) => window.location.assign(url),
  });
  if (name === null) return null;
  return (
    <div className="grid gap-3">
      <Problem error={begin.error} />
      <Button size="lg" isBusy={begin.isPending} onClick={() => begin.mutate()}>
        {t('openId', { name })}
      </Button>
    </div>
  );
}
