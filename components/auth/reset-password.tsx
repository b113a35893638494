'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { tellTabs } from '@/components/session/other-tabs';
import { Button, buttonStyle } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useCheckedForm } from '@/components/ui/use-checked-form';
import { useHashToken } from '@/components/ui/use-hash-token';
import { useProblemText } from '@/components/ui/use-problem-text';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import { Link } from '@/i18n/navigation';
import { MIN_PASSWORD_LENGTH } from './check-credentials';
import { besidesEase, NewPasswordField } from './new-password-field';

/** A password is hashed slowly. */
const RESET_WITHIN_MS = 20_000;
/** The link can't be used; it is broken if it makes the request too large. */
const INVALID = ['RESET_INVALID', 'TOO_LARGE'];

/** The page that the mail's link leads to. Opening it uses nothing, because scanners of mail open links, too. */
export function ResetPassword() {
  const t = useTranslations('Password');
  const token = useHashToken();
  if (token === null) return <p className="text-muted">{t('loading')}</p>;
  return token === '' ? <AskAgain text={t('noLink')} /> : <NewPassword key={token} token={token} />;
}

function NewPassword({ token }: { token: string }) {
  const t = useTranslations('Password');
  const auth = useTranslations('Auth');
  const problemText = useProblemText();
  const wait = useWait();
  const reset = useMutation({
    mutationFn: (newPassword: string) =>
      request('POST /api/password/reset', { body: { token, newPassword }, timeoutMs: RESET_WITHIN_MS }),
    // All sessions have ended, also one of this browser.
    onSuccess: () => tellTabs('changed'),
    onError: wait.take,
  });
  const { form, problems, onSubmit } = useCheckedForm(
    ['newPassword'],
    ({ newPassword }) =>
      newPassword.length < MIN_PASSWORD_LENGTH
        ? { newPassword: auth('passwordTooShort', { count: MIN_PASSWORD_LENGTH }) }
        : {},
    ({ newPassword }) => reset.mutate(newPassword),
  );
  if (INVALID.includes(problemCode(reset.error))) return <AskAgain text={problemText('RESET_INVALID')} />;
  if (reset.data) return <Done email={reset.data.email} />;
  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-5">
      <p className="text-muted">{t('resetText')}</p>
      <Problem error={besidesEase(besidesWait(reset.error))} />
      <WaitNotice wait={wait} words={(time) => auth('wait', { time })} />
      <NewPasswordField
        label={t('newPassword')}
        name="newPassword"
        error={problems.newPassword}
        refusal={reset.error}
      />
      <Button
        type="submit"
        tone="primary"
        className="justify-self-start"
        isBusy={reset.isPending}
        disabled={wait.leftMs > 0}
      >
        {t(reset.isPending ? 'saving' : 'save')}
      </Button>
    </form>
  );
}

function Done({ email }: { email: string }) {
  const t = useTranslations('Password');
  return (
    <div className="grid gap-5">
      <Notice tone="success" role="status">
        {t('done', { email })}
      </Notice>
      <Link
        href="/signin"
        prefetch={false}
        className={buttonStyle({ tone: 'primary', className: 'justify-self-start' })}
      >
        {t('signIn')}
      </Link>
    </div>
  );
}

function AskAgain({ text }: { text: string }) {
  const t = useTranslations('Password');
  return (
    <div className="grid gap-5">
      <Notice tone="warning" role="alert">
        {text}
      </Notice>
      <div className="flex flex-wrap items-center gap-4">
        <Link href="/forgot-password" prefetch={false} className={buttonStyle({ tone: 'primary' })}>
          {t('askAgain')}
        </Link>
        <Link href="/signin" prefetch={false} className="font-semibold underline underline-offset-4">
          {t('signIn')}
        </Link>
      </div>
    </div>
  );
}
