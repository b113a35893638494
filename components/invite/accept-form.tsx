'use client';

import { useMutation } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import {
  checkCredentials,
  type FieldProblems,
  MIN_PASSWORD_LENGTH,
} from '@/components/auth/check-credentials';
import { besidesEase, NewPasswordField } from '@/components/auth/new-password-field';
import { createOnce } from '@/components/auth/once';
import { useSignIn } from '@/components/auth/use-sign-in';
import { wantedQuery } from '@/components/auth/wanted-query';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { linkTo } from '@/components/ui/link-to';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useCheckedForm } from '@/components/ui/use-checked-form';
import { useLocalDate } from '@/components/ui/use-local-date';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import { useRouter } from '@/i18n/navigation';
import type { Invitation } from '@/lib/contract/shapes/account';

const ADMIN_AREA = '/admin/sales';

/**
 * Accepts an invitation with a name and a password for a new account, or with the password of an existing one; then
 * leads to the admin area.
 */
export function AcceptForm({ invitation, token }: { invitation: Invitation; token: string }) {
  const t = useTranslations('Invite');
  const auth = useTranslations('Auth');
  const roles = useTranslations('Account.roles');
  const localDate = useLocalDate();
  const wait = useWait();
  const { email, role, expiresAt, hasAccount, shop } = invitation;
  const accept = useAccept(invitation, token, wait.take);

  const { form, problems, onSubmit } = useCheckedForm(
    ['name', 'password'],
    (given): FieldProblems => checkCredentials({ email, ...given }, hasAccount ? 'signIn' : 'register'),
    accept.mutate,
  );
  const field = (name: 'name' | 'password') => {
    const problem = problems[name];
    return { label: auth(name), error: problem ? auth(problem, { count: MIN_PASSWORD_LENGTH }) : null };
  };
  const error = besidesEase(besidesWait(accept.error));
  const wrong = accept.data === 'wrong' || accept.data === 'cookies' ? accept.data : null;
  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-5">
      <p className="text-lg">
        {shop
          ? t('shopText', { email, shop: shop.name, role: t(`shopRoles.${shop.role}`) })
          : t('text', { email, role: roles(role) })}
      </p>
      <p className="text-muted">{t('until', { time: localDate(expiresAt, 'short') })}</p>
      <input type="email" name="username" autoComplete="username" defaultValue={email} hidden />
      {wrong ? (
        <Notice tone="danger" role="alert">
          {auth(`notices.${wrong}`)}
        </Notice>
      ) : null}
      <Problem error={error} />
      <WaitNotice wait={wait} words={(time) => auth('wait', { time })} />
      {hasAccount ? (
        <>
          <p className="text-muted">{t.rich('hasAccount', { link: linkTo('/forgot-password') })}</p>
          <TextField
            {...field('password')}
            name="password"
            type="password"
            autoComplete="current-password"
            maxLength={200}
          />
        </>
      ) : (
        <>
          <TextField {...field('name')} name="name" autoComplete="name" maxLength={100} />
          <NewPasswordField {...field('password')} name="password" refusal={accept.error} />
        </>
      )}
      <Button
        type="submit"
        tone="primary"
        size="lg"
        isBusy={accept.isPending || accept.data === 'signed_in'}
        disabled={wait.leftMs > 0}
      >
        {t('accept')}
      </Button>
    </form>
  );
}

/** Accepts the invitation, signs in, and goes on to the admin area or to the second step. */
function useAccept({ email, hasAccount }: Invitation, token: string, onError: (error: Error) => void) {
  const locale = useLocale();
  const signIn = useSignIn();
  const router = useRouter();
  const [acceptOnce] = useState(() => createOnce('INVITATION_INVALID'));
  return useMutation({
    mutationFn: async ({ name, password }: { name: string; password: string }) => {
      const body = { token, password, locale, ...(hasAccount ? {} : { name: name.trim() }) };
      const post = () => request('POST /api/invitations/accept', { body, timeoutMs: 20_000 });
      return signIn(email, password, await acceptOnce(token, post));
    },
    onSuccess: (outcome) => {
      if (outcome === 'signed_in') router.replace(ADMIN_AREA);
      if (outcome === 'second_step') router.replace(`/second-step${wantedQuery(ADMIN_AREA)}`);
    },
    onError,
  });
}
