'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { MIN_PASSWORD_LENGTH } from '@/components/auth/check-credentials';
import { besidesEase, NewPasswordField } from '@/components/auth/new-password-field';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { Said } from '@/components/ui/said';
import { useCheckedForm } from '@/components/ui/use-checked-form';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';

type Field = 'currentPassword' | 'newPassword';
/** Changing a password takes this long at most: it is hashed slowly. */
const CHANGE_WITHIN_MS = 20_000;

/** Changes the password of a visitor who knows the present one. @param email for the browser's list of passwords */
export function PasswordForm({ email }: { email: string }) {
  const t = useTranslations('Account');
  const auth = useTranslations('Auth');
  const client = useQueryClient();
  const wait = useWait();
  const change = useMutation({
    mutationFn: (body: Record<Field, string>) =>
      request('POST /api/account/password', { body, timeoutMs: CHANGE_WITHIN_MS }),
    onSuccess: async () => {
      form.current?.reset();
      await client.refetchQueries({ queryKey: ['sessions'] });
    },
    onError: wait.take,
  });

  const { form, problems, onSubmit } = useCheckedForm<Field, string>(
    ['currentPassword', 'newPassword'],
    ({ currentPassword, newPassword }) => ({
      ...(currentPassword === '' ? { currentPassword: auth('passwordMissing') } : {}),
      ...(newPassword.length < MIN_PASSWORD_LENGTH
        ? { newPassword: auth('passwordTooShort', { count: MIN_PASSWORD_LENGTH }) }
        : {}),
    }),
    change.mutate,
  );
  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-5">
      <h2 className="font-semibold text-xl">{t('password')}</h2>
      <p className="text-muted">{t('passwordText')}</p>
      <input type="email" name="username" autoComplete="username" defaultValue={email} hidden />
      <Said>{change.isSuccess ? <Notice tone="success">{t('passwordChanged')}</Notice> : null}</Said>
      <Problem error={besidesEase(besidesWait(change.error))} />
      <WaitNotice wait={wait} words={(time) => auth('wait', { time })} />
      <TextField
        label={t('currentPassword')}
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        maxLength={200}
        error={problems.currentPassword}
      />
      <NewPasswordField
        // Once the password is changed, the field is empty and has nothing to say.
        key={change.isSuccess ? change.submittedAt : 'first'}
        label={t('newPassword')}
        name="newPassword"
        error={problems.newPassword}
        refusal={change.error}
      />
      <Button
        type="submit"
        tone="primary"
        className="justify-self-start"
        isBusy={change.isPending}
        disabled={wait.leftMs > 0}
      >
        {t('changePassword')}
      </Button>
    </form>
  );
}
