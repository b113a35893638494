'use client';

import { useMutation } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { fetchJson } from '@/components/api/fetch-json';
import { useRefreshSession } from '@/components/session/use-session';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useIsClient } from '@/components/ui/use-is-client';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import { Link } from '@/i18n/navigation';
import { useReturn } from './use-return';
import { useSentNotice } from './use-sent-notice';

const ACTION = '/api/auth/callback/second-step';
const SHORTEST_CODE = 6;

/** Asks for the second factor after the password. Without script the browser sends it like any form. */
export function SecondStep() {
  const t = useTranslations('Auth');
  const locale = useLocale();
  const isClient = useIsClient();
  const goBack = useReturn();
  const refreshSession = useRefreshSession();
  const wait = useWait();
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<string>();
  const submit = useMutation({
    mutationFn: async (code: string) => {
      await fetchJson(ACTION, { method: 'POST', body: { code, locale } });
      return (await refreshSession()) !== false;
    },
    onSuccess: (keepsCookies) => {
      if (keepsCookies) goBack();
    },
    onError: wait.take,
  });
  const sent = useSentNotice(submit.isIdle);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code')).trim();
    const isGood = code.length >= SHORTEST_CODE;
    setProblem(isGood ? undefined : t('codeMissing'));
    if (isGood) submit.mutate(code);
    else form.current?.querySelector<HTMLInputElement>('[name="code"]')?.focus();
  };
  const isOver = problemCode(submit.error) === 'SECOND_STEP_OVER';
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
      <p className="text-muted">{t('stepText')}</p>
      {sent ? (
        <Notice tone="danger" role="alert">
          {sent}
        </Notice>
      ) : null}
      {submit.data === false ? (
        <Notice tone="danger" role="alert">
          {t('notices.cookies')}
        </Notice>
      ) : null}
      <Problem error={besidesWait(submit.error)} />
      <WaitNotice wait={wait} words={(time) => t('wait', { time })} />
      <TextField
        label={t('code')}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={40}
        error={problem}
      />
      <Button
        type="submit"
        tone="primary"
        size="lg"
        isBusy={submit.isPending || submit.data === true}
        disabled={wait.leftMs > 0 || isOver}
      >
        {t('signIn')}
      </Button>
      <Link href="/signin" prefetch={false} className="text-muted underline underline-offset-4">
        {t('stepBack')}
      </Link>
    </form>
  );
}
