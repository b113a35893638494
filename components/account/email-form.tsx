'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { isEmail } from '@/components/auth/check-credentials';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { Said } from '@/components/ui/said';
import { useCheckedForm } from '@/components/ui/use-checked-form';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';

type Field = 'newEmail' | 'currentPassword';
/** The password is checked by a slow hash. */
const ASK_WITHIN_MS = 20_000;

/** Asks for another address of the visitor's account, by its password. @param email the present one */
export function EmailForm({ email }: { email: string }) {
  const t = useTranslations('Account');
  const auth = useTranslations('Auth');
  const wait = useWait();
  const ask = useMutation({
    mutationFn: (body: Record<Field, string>) =>
      request('POST /api/account/email', { body, timeoutMs: ASK_WITHIN_MS }),
    onSuccess: () => form.current?.reset(),
    onError: wait.take,
  });

  const { form, problems, onSubmit } = useCheckedForm<Field, string>(
    ['newEmail', 'currentPassword'],
    ({ newEmail, currentPassword }) => ({
      ...(isEmail(newEmail.trim()) ? {} : { newEmail: auth('emailInvalid') }),
      ...(currentPassword === '' ? { currentPassword: auth('passwordMissing') } : {}),
    }),
    ({ newEmail, currentPassword }) => ask.mutate({ newEmail: newEmail.trim(), currentPassword }),
  );
  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-5">
      <h2 className="font-semibold text-xl">{t('email')}</h2>
      <p className="text-muted">{t('emailText')}</p>
      <input type="email" name="username" autoComplete="username" defaultValue={email} hidden />
      <Said>
        {ask.isSuccess ? (
          <Notice tone="success">{t('emailSent', { email: ask.variables.newEmail })}</Notice>
        ) : null}
      </Said>
      <Problem error={besidesWait(ask.error)} />
      <WaitNotice wait={wait} words={(time) => auth('wait', { time })} />
      <TextField
        label={t('newEmail')}
        name="newEmail"
        type="email"
        autoComplete="email"
        maxLength={254}
        error={problems.newEmail}
      />
      <TextField
        label={t('yourPassword')}
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        maxLength={200}
        error={problems.currentPassword}
      />
      <Button
        type="submit"
        tone="primary"
        className="justify-self-start"
        isBusy={ask.isPending}
        disabled={wait.leftMs > 0}
      >
        {t('changeEmail')}
      </Button>
    </form>
  );
}
