'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { Said } from '@/components/ui/said';
import { useCheckedForm } from '@/components/ui/use-checked-form';
import { useIsClient } from '@/components/ui/use-is-client';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import { Link } from '@/i18n/navigation';
import { isEmail } from './check-credentials';

/** Asks for the mail that replaces a forgotten password. Says the same whether there is such an account. */
export function ForgotPassword() {
  const t = useTranslations('Password');
  const auth = useTranslations('Auth');
  const isClient = useIsClient();
  const wait = useWait();
  const ask = useMutation({
    mutationFn: (email: string) => request('POST /api/password/forgot', { body: { email } }),
    onError: wait.take,
  });
  const { form, problems, onSubmit } = useCheckedForm(
    ['email'],
    ({ email }) => (isEmail(email.trim()) ? {} : { email: auth('emailInvalid') }),
    ({ email }) => ask.mutate(email.trim()),
  );
  if (!isClient) return <p className="text-muted">{t('loading')}</p>;
  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-5">
      <p className="text-muted">{t('forgotText')}</p>
      <Said>
        {ask.isSuccess ? <Notice tone="success">{t('sent', { email: ask.variables })}</Notice> : null}
      </Said>
      <Problem error={besidesWait(ask.error)} />
      <WaitNotice wait={wait} words={(time) => t('wait', { time })} />
      <TextField
        label={auth('email')}
        name="email"
        type="email"
        autoComplete="username"
        maxLength={254}
        error={problems.email}
      />
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" tone="primary" isBusy={ask.isPending} disabled={wait.leftMs > 0}>
          {t(ask.isPending ? 'sending' : 'send')}
        </Button>
        <Link href="/signin" prefetch={false} className="font-semibold underline underline-offset-4">
          {t('backToSignIn')}
        </Link>
      </div>
    </form>
  );
}
