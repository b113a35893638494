'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useCheckedForm } from '@/components/ui/use-checked-form';
import { useIsClient } from '@/components/ui/use-is-client';
import { useProblemText } from '@/components/ui/use-problem-text';
import { besidesWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import {
  type Credentials,
  checkCredentials,
  type FieldProblems,
  MIN_PASSWORD_LENGTH,
} from './check-credentials';
import { besidesEase, NewPasswordField } from './new-password-field';
import { QueueNotice } from './queue-notice';
import { useAuthSubmit } from './use-auth-submit';
import { useKeepsCookies } from './use-keeps-cookies';
import { useSentNotice } from './use-sent-notice';

const ACTIONS = { signIn: '/api/auth/callback/credentials', register: '/api/register' } as const;

/**
 * Asks for e-mail and password, plus a name for a new account. Registering signs in at once. Without script, or
 * before the script has loaded, the browser sends it like any form.
 */
export function AuthForm({ mode }: { mode: keyof typeof ACTIONS }) {
  const t = useTranslations('Auth');
  const locale = useLocale();
  const isClient = useIsClient();
  const isRegister = mode === 'register';
  const auth = useAuthSubmit(isRegister);
  const { submit, wait } = auth;

  const { form, problems, onSubmit } = useCheckedForm(
    ['name', 'email', 'password'],
    (credentials): FieldProblems => checkCredentials(credentials, mode),
    submit.mutate,
  );
  const fieldError = (name: keyof Credentials) => {
    const problem = problems[name];
    return problem ? t(problem, { count: MIN_PASSWORD_LENGTH }) : null;
  };
  const isBusy = submit.isPending || submit.data === 'signed_in' || submit.data === 'second_step';
  const label = isRegister ? (isBusy ? 'registering' : 'register') : isBusy ? 'signingIn' : 'signIn';
  return (
    <form
      ref={form}
      method="post"
      action={ACTIONS[mode]}
      // The browser's own error messages appear only where ours can't.
      noValidate={isClient}
      onSubmit={onSubmit}
      className="grid gap-5"
    >
      <input type="hidden" name="locale" value={locale} />
      <AuthNotices {...auth} />
      <Fields isRegister={isRegister} errorOf={fieldError} refusal={submit.error} />
      <Button type="submit" tone="primary" size="lg" isBusy={isBusy} disabled={wait.leftMs > 0}>
        {t(label)}
      </Button>
    </form>
  );
}

interface FieldsProps {
  isRegister: boolean;
  errorOf: (name: keyof Credentials) => string | null;
  /** Why the last try failed: the password may be too easy. */
  refusal: unknown;
}

function Fields({ isRegister, errorOf, refusal }: FieldsProps) {
  const t = useTranslations('Auth');
  return (
    <>
      {isRegister ? (
        <TextField
          label={t('name')}
          name="name"
          autoComplete="name"
          required
          maxLength={100}
          error={errorOf('name')}
        />
      ) : null}
      <TextField
        label={t('email')}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username"
        required
        maxLength={254}
        error={errorOf('email')}
      />
      {isRegister ? (
        <NewPasswordField
          label={t('password')}
          name="password"
          error={errorOf('password')}
          refusal={refusal}
        />
      ) : (
        <TextField
          label={t('password')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={200}
          error={errorOf('password')}
        />
      )}
    </>
  );
}

/** Says what came of the last try, and what the visitor waits for. */
function AuthNotices({ submit, wait, retrying, leave }: ReturnType<typeof useAuthSubmit>) {
  const t = useTranslations('Auth');
  const problemText = useProblemText();
  const keepsCookies = useKeepsCookies();
  const sent = useSentNotice(submit.isIdle);
  const error = submit.isPending ? null : besidesEase(besidesWait(submit.error));
  const wrong = submit.data === 'wrong' || submit.data === 'cookies' ? submit.data : null;
  const alerts = [sent, wrong ? t(`notices.${wrong}`) : null, error ? problemText(error) : null];
  return (
    <>
      {alerts.map((text) =>
        text ? (
          <Notice key={text} tone="danger" role="alert">
            {text}
          </Notice>
        ) : null,
      )}
      {retrying?.why === 'outage' ? <Notice role="status">{t('retrying')}</Notice> : null}
      {retrying?.why === 'queue' ? <QueueNotice turnAt={retrying.turnAt} onLeave={leave} /> : null}
      <WaitNotice wait={wait} words={(time) => t('wait', { time })} />
      {keepsCookies ? null : (
        <Notice tone="warning" role="alert">
          {t('cookiesOff')}
        </Notice>
      )}
    </>
  );
}
