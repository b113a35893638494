'use client';

import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { type FormEvent, Suspense, useRef, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { fetchJson } from '@/components/api/fetch-json';
import { useRefreshSession } from '@/components/session/use-session';
import { Button, buttonStyle } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useIsClient } from '@/components/ui/use-is-client';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import { Link } from '@/i18n/navigation';
import { useReturn } from './use-return';
import { useSentNotice } from './use-sent-notice';
import { wantedQuery } from './wanted-query';

const ACTION = '/api/auth/callback/second-step';

/** Asks for the second factor after the password or the sign-in server. Without script the browser sends it like any form. */
export function SecondStep() {
  const t = useTranslations('Auth');
  const locale = useLocale();
  const isClient = useIsClient();
  const form = useRef<HTMLFormElement>(null);
  const [isMissing, setIsMissing] = useState(false);
  const [isRecovery, setIsRecovery] = useState(false);
  const selectCode = () => form.current?.querySelector<HTMLInputElement>('[name="code"]')?.select();
  const { submit, wait } = useSubmitCode(selectCode);
  const sent = useSentNotice(submit.isIdle);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code')).trim();
    setIsMissing(code === '');
    if (code === '') selectCode();
    else submit.mutate(code);
  };
  const alert = submit.data === false ? t('notices.cookies') : sent;
  if (problemCode(submit.error) === 'SECOND_STEP_OVER')
    return (
      <div className="grid gap-5">
        <Problem error={submit.error} />
        <BackToSignIn className={buttonStyle({ tone: 'primary', className: 'justify-self-start' })}>
          {t('stepAgain')}
        </BackToSignIn>
      </div>
    );
  return (
    <form
      ref={form}
      method="post"
      action={ACTION}
      noValidate={isClient}
      onSubmit={onSubmit}
      className="grid gap-5"
    >
      <input type="hidden" name="locale" value={locale} />
      {alert ? (
        <Notice tone="danger" role="alert">
          {alert}
        </Notice>
      ) : null}
      <Problem error={besidesWait(submit.error)} />
      <WaitNotice wait={wait} words={(time) => t('wait', { time })} />
      <p className="text-muted">{t(isRecovery ? 'recoveryText' : 'stepText')}</p>
      <CodeField key={String(isRecovery)} isRecovery={isRecovery} isMissing={isMissing} />
      <Button
        type="submit"
        tone="primary"
        size="lg"
        isBusy={submit.isPending || submit.data === true}
        disabled={wait.leftMs > 0}
      >
        {t('signIn')}
      </Button>
      {isClient ? (
        <Button className="justify-self-start" onClick={() => setIsRecovery(!isRecovery)}>
          {t(isRecovery ? 'useApp' : 'useRecoveryCode')}
        </Button>
      ) : null}
      <BackToSignIn className="justify-self-start text-muted underline underline-offset-4">
        {t('stepBack')}
      </BackToSignIn>
    </form>
  );
}

function CodeField({ isRecovery, isMissing }: { isRecovery: boolean; isMissing: boolean }) {
  const t = useTranslations('Auth');
  const isClient = useIsClient();
  return (
    <TextField
      label={t(isRecovery ? 'recoveryCode' : 'code')}
      name="code"
      // A phone's keyboard of digits has no letters, which a recovery code needs.
      inputMode={isClient && !isRecovery ? 'numeric' : 'text'}
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      autoCapitalize="none"
      spellCheck={false}
      required
      maxLength={60}
      className="font-mono"
      error={isMissing ? t('codeMissing') : null}
    />
  );
}

/** Sends the code, and goes on to where the visitor wanted to go. */
function useSubmitCode(onRefusal: () => void) {
  const locale = useLocale();
  const goBack = useReturn();
  const refreshSession = useRefreshSession();
  const wait = useWait();
  const submit = useMutation({
    mutationFn: async (code: string) => {
      await fetchJson(ACTION, { method: 'POST', body: { code, locale } });
      return (await refreshSession()) !== false;
    },
    onSuccess: (keepsCookies) => {
      if (keepsCookies) goBack();
    },
    onError: (error) => {
      wait.take(error);
      onRefusal();
    },
  });
  return { submit, wait };
}

interface BackToSignInProps {
  className: string;
  children: string;
}

/** Links to the password, and keeps the page that the visitor wanted to go to. */
const BackToSignIn = (props: BackToSignInProps) => (
  // The prerendered page knows no query: the browser adds it when the page hydrates.
  <Suspense fallback={<SignInLink {...props} callbackUrl={null} />}>
    <BackWithQuery {...props} />
  </Suspense>
);

const BackWithQuery = (props: BackToSignInProps) => (
  <SignInLink {...props} callbackUrl={useSearchParams().get('callbackUrl')} />
);

const SignInLink = ({ callbackUrl, ...rest }: BackToSignInProps & { callbackUrl: string | null }) => (
  <Link href={`/signin${wantedQuery(callbackUrl)}`} prefetch={false} {...rest} />
);
