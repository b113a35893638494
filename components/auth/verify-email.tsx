'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { SignInPrompt } from '@/components/session/sign-in-prompt';
import { useSession } from '@/components/session/use-session';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useHashToken } from '@/components/ui/use-hash-token';
import { useProblemText } from '@/components/ui/use-problem-text';

/**
 * Shows the page behind the link in the mail: its token is after the #. Opening it verifies nothing, because scanners of
 * mail open links, too; a press does. Without a token the page shows a button that sends the mail.
 */
export function VerifyEmail() {
  const t = useTranslations('VerifyEmail');
  const token = useHashToken();
  if (token === null) return <p className="text-muted">{t('checking')}</p>;
  return token === '' ? <SendMail /> : <UseToken key={token} token={token} />;
}

function UseToken({ token }: { token: string }) {
  const t = useTranslations('VerifyEmail');
  const problemText = useProblemText();
  const verify = useMutation({
    mutationFn: () => request('POST /api/email/verify', { body: { token } }),
    retry: (count, failure) => count < 3 && problemCode(failure) !== 'VERIFICATION_INVALID',
  });
  if (verify.data) return <Verified />;
  if (verify.error)
    return (
      <div className="grid gap-4">
        <Notice tone="danger" role="alert">
          {problemText(verify.error)}
        </Notice>
        <SendMail />
      </div>
    );
  return (
    <div className="grid gap-4">
      <p className="text-muted">{t('press')}</p>
      <Button tone="primary" isBusy={verify.isPending} onClick={() => verify.mutate()}>
        {t(verify.isPending ? 'checking' : 'verify')}
      </Button>
    </div>
  );
}

function SendMail() {
  const t = useTranslations('VerifyEmail');
  const problemText = useProblemText();
  const session = useSession();
  const send = useMutation({
    mutationFn: () => request('POST /api/email/send'),
  });
  if (session.status === 'loading') return <p className="text-muted">{t('checking')}</p>;
  if (session.status === 'signed_out')
    return <SignInPrompt text={t('signIn')} callbackPath="/verify-email" />;
  if (send.data?.verified) return <Verified />;
  const isTooSoon = problemCode(send.error) === 'RATE_LIMITED';
  return (
    <div className="grid gap-4">
      <p className="text-muted">{t('ask')}</p>
      {send.data ? <Notice role="status">{t('sent', { email: session.user.email })}</Notice> : null}
      {send.error ? (
        <Notice tone={isTooSoon ? 'info' : 'danger'} role="alert">
          {isTooSoon ? t('tooSoon') : problemText(send.error)}
        </Notice>
      ) : null}
      <Button tone="primary" isBusy={send.isPending} onClick={() => send.mutate()}>
        {t(send.isPending ? 'sending' : 'send')}
      </Button>
    </div>
  );
}

function Verified() {
  const t = useTranslations('VerifyEmail');
  return (
    <Notice tone="success" role="status">
      {t('verified')}
    </Notice>
  );
}
