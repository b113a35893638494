'use client';

import { useTranslations } from 'next-intl';
import { knowsPasskeys } from '@/components/passkey/browser-passkey';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useIsClient } from '@/components/ui/use-is-client';
import { besidesWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import { usePasskeySignIn } from './use-passkey-sign-in';

/** Signs in by a passkey; not there where the browser knows none. @param use whether the password came before it */
export function PasskeyButton({ use }: { use: 'sign-in' | 'second-step' }) {
  const t = useTranslations('Auth');
  const isClient = useIsClient();
  const { signIn, wait } = usePasskeySignIn(use);
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
        {t(use === 'sign-in' ? 'passkey' : 'stepPasskey')}
      </Button>
    </div>
  );
}
