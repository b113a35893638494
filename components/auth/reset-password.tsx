'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { Button, buttonStyle } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useIsClient } from '@/components/ui/use-is-client';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import { Link } from '@/i18n/navigation';
import { MIN_PASSWORD_LENGTH } from './check-credentials';
import { NewPasswordField } from './new-password-field';

/** A password is hashed slowly. */
const RESET_WITHIN_MS = 20_000;

/** The page behind the link in the mail: its token is after the #. Without one it leads to the page that asks for a mail. */
export function ResetPassword() {
  const t = useTranslations('Password');
  const isClient = useIsClient();
  // Kept from the first look on: the address loses the token once it has been read.
  const [token] = useState(() => (typeof window === 'undefined' ? '' : window.location.hash.slice(1)));
  if (!isClient) return <p className="text-muted">{t('loading')}</p>;
  return token === '' ? <Invalid text={t('noLink')} /> : <NewPassword token={token} />;
}

function NewPassword({ token }: { token: string }) {
  const t = useTranslations('Password');
  const auth = useTranslations('Auth');
  const wait = useWait();
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<string>();
  const reset = useMutation({
    mutationFn: (newPassword: string) =>
      request('POST /api/password/reset', { body: { token, newPassword }, timeoutMs: RESET_WITHIN_MS }),
    onError: wait.take,
  });
  if (problemCode(reset.error) === 'RESET_INVALID') return <Invalid text={t('invalid')} />;
  if (reset.data)
    return (
      <div className="grid gap-5">
        <Notice tone="success" role="status">
          {t('done', { email: reset.data.email })}
        </Notice>
        <Link href="/signin" prefetch={false} className={buttonStyle({ tone: 'primary' })}>
          {t('signIn')}
        </Link>
      </div>
    );
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const newPassword = String(new FormData(event.currentTarget).get('newPassword'));
    const isGood = newPassword.length >= MIN_PASSWORD_LENGTH;
    setProblem(isGood ? undefined : auth('passwordTooShort', { count: MIN_PASSWORD_LENGTH }));
    if (isGood) reset.mutate(newPassword);
    else form.current?.querySelector('input')?.focus();
  };
  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-5">
      <p className="text-muted">{t('resetText')}</p>
      <Problem error={besidesWait(reset.error)} />
      <WaitNotice wait={wait} words={(time) => auth('wait', { time })} />
      <NewPasswordField label={t('newPassword')} name="newPassword" error={problem} />
      <Button
        type="submit"
        tone="primary"
        className="justify-self-start"
        isBusy={reset.isPending}
        disabled={wait.leftMs > 0}
      >
        {t('save')}
      </Button>
    </form>
  );
}

function Invalid({ text }: { text: string }) {
  const t = useTranslations('Password');
  return (
    <div className="grid gap-5">
      <Notice tone="warning" role="alert">
        {text}
      </Notice>
      <Link href="/forgot-password" prefetch={false} className={buttonStyle({ tone: 'primary' })}>
        {t('askAgain')}
      </Link>
    </div>
  );
}
