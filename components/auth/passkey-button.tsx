'use client';

import { useMutation } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { fetchJson } from '@/components/api/fetch-json';
import { useRefreshSession } from '@/components/session/use-session';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useIsClient } from '@/components/ui/use-is-client';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import type { PasskeyQuestion } from '@/lib/contract/shapes/passkey';
import { answerByPasskey, knowsPasskeys } from './browser-passkey';
import { useReturn } from './use-return';

/** Signs in by a passkey, alone or instead of the second step. Not shown where the browser knows none. */
export function PasskeyButton() {
  const t = useTranslations('Auth');
  const locale = useLocale();
  const isClient = useIsClient();
  const goBack = useReturn();
  const refreshSession = useRefreshSession();
  const wait = useWait();
  const signIn = useMutation({
    mutationFn: async () => {
      const question = await fetchJson<PasskeyQuestion>('/api/auth/passkey', { method: 'POST' });
      const passkey = await answerByPasskey(question);
      await fetchJson('/api/auth/callback/passkey', { method: 'POST', body: { passkey, locale } });
      return (await refreshSession()) !== false;
    },
    onSuccess: (keepsCookies) => {
      if (keepsCookies) goBack();
    },
    onError: wait.take,
  });
  if (!isClient || !knowsPasskeys()) return null;
  return (
    <div className="grid gap-3">
      <Problem error={besidesWait(signIn.error)} />
      <WaitNotice wait={wait} words={(time) => t('wait', { time })} />
      {signIn.data === false ? (
        <Notice tone="danger" role="alert">
          {t('notices.cookies')}
        </Notice>
      ) : null}
      <Button
        size="lg"
        isBusy={signIn.isPending || signIn.data === true}
        disabled={wait.leftMs > 0}
        onClick={() => signIn.mutate()}
      >
        {t('passkey')}
      </Button>
    </div>
  );
}
