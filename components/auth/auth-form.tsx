'use client';

import { useMutation } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';
import { fetchJson } from '@/components/api/fetch-json';
import { useRefreshSession } from '@/components/session/use-session';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';
import {
  type Credentials,
  checkCredentials,
  type FieldProblems,
  MIN_PASSWORD_LENGTH,
} from './check-credentials';
import { signInWith } from './sign-in';
import { useReturn } from './use-return';

/** E-mail and password, plus a name for a new account. Registering signs in at once. */
export function AuthForm({ mode }: { mode: 'signIn' | 'register' }) {
  const t = useTranslations('Auth');
  const locale = useLocale();
  const problemText = useProblemText();
  const goBack = useReturn();
  const refreshSession = useRefreshSession();
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<FieldProblems>({});
  const isRegister = mode === 'register';

  const submit = useMutation({
    mutationFn: async ({ email, password, name }: Credentials) => {
      if (isRegister) {
        await fetchJson('/api/register', {
          method: 'POST',
          body: { email: email.trim(), password, name: name?.trim(), locale },
        });
      }
      return signInWith(email, password, locale);
    },
    onSuccess: async (isIn) => {
      if (!isIn) return;
      await refreshSession();
      goBack();
    },
  });

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const value = (name: string) => String(data.get(name) ?? '');
    const credentials = { email: value('email'), password: value('password'), name: value('name') };
    const found = checkCredentials(credentials, mode);
    setProblems(found);
    const [first] = Object.keys(found);
    if (first) {
      form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
      return;
    }
    submit.mutate(credentials);
  };

  const fieldError = (name: keyof Credentials) => {
    const problem = problems[name];
    return problem ? t(problem, { count: MIN_PASSWORD_LENGTH }) : null;
  };
  const isBusy = submit.isPending || submit.data === true;
  const label = isRegister ? (isBusy ? 'registering' : 'register') : isBusy ? 'signingIn' : 'signIn';
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-5">
      {submit.data === false ? (
        <Notice tone="danger" role="alert">
          {t('wrong')}
        </Notice>
      ) : null}
      {submit.error ? (
        <Notice tone="danger" role="alert">
          {problemText(submit.error)}
        </Notice>
      ) : null}
      {isRegister ? (
        <TextField label={t('name')} name="name" autoComplete="name" error={fieldError('name')} />
      ) : null}
      <TextField
        label={t('email')}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username"
        error={fieldError('email')}
      />
      <TextField
        label={t('password')}
        name="password"
        type="password"
        autoComplete={isRegister ? 'new-password' : 'current-password'}
        hint={isRegister ? t('passwordHint', { count: MIN_PASSWORD_LENGTH }) : undefined}
        error={fieldError('password')}
      />
      <Button type="submit" tone="primary" size="lg" isBusy={isBusy}>
        {t(label)}
      </Button>
    </form>
  );
}
