'use client';

import { useTranslations } from 'next-intl';
import { SignInPrompt } from '@/components/session/sign-in-prompt';
import { useSession } from '@/components/session/use-session';
import { Card } from '@/components/ui/card';
import { EmailForm } from './email-form';
import { PasswordForm } from './password-form';
import { SecondFactor } from './second-factor';
import { SessionList } from './session-list';

/** Shows the visitor's account, the forms for another address, a new password and two-step sign-in, and where they are signed in. */
export function AccountPage() {
  const t = useTranslations('Account');
  const roles = useTranslations('Account.roles');
  const common = useTranslations('Common');
  const session = useSession();
  if (session.status === 'loading') return <p className="text-lg text-muted">{common('loading')}</p>;
  if (session.status === 'signed_out')
    return <SignInPrompt text={common('signInFirst')} callbackPath="/account" />;
  const { email, name, role } = session.user;
  return (
    <div className="grid gap-6">
      <div className="grid gap-1">
        <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
        <p className="wrap-anywhere text-lg">
          <bdi>{name ?? email}</bdi>
        </p>
        <p className="wrap-anywhere text-muted">
          {email} · {roles(role)}
        </p>
      </div>
      <Card className="p-5 sm:p-6">
        <EmailForm email={email} />
      </Card>
      <Card className="p-5 sm:p-6">
        <PasswordForm email={email} />
      </Card>
      <Card className="p-5 sm:p-6">
        <SecondFactor email={email} />
      </Card>
      <Card className="p-5 sm:p-6">
        <SessionList />
      </Card>
    </div>
  );
}
