'use client';

import { useTranslations } from 'next-intl';
import { SignInPrompt } from '@/components/session/sign-in-prompt';
import { useSession } from '@/components/session/use-session';
import { Card } from '@/components/ui/card';
import { DeleteAccount } from './delete-account';
import { EmailForm } from './email-form';
import { MailPreferences } from './mail-preferences';
import { OwnData } from './own-data';
import { OwnLevel } from './own-level';
import { Passkeys } from './passkeys';
import { PasswordForm } from './password-form';
import { PushSwitch } from './push-switch';
import { SavedAddress } from './saved-address';
import { SecondFactor } from './second-factor';
import { SessionList } from './session-list';
import { SignIns } from './sign-ins';

/** Shows the visitor's account, and lets them change address, password, second factor and passkeys, end sessions, take their data away and leave. */
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
        <p className="break-words text-lg">{name ?? email}</p>
        <p className="break-words text-muted">
          {email} · {roles(role)}
        </p>
      </div>
      <OwnLevel />
      <Card className="p-5 sm:p-6">
        <EmailForm email={email} />
      </Card>
      <Card className="p-5 sm:p-6">
        <PasswordForm email={email} />
      </Card>
      <Card className="p-5 sm:p-6">
        <SecondFactor />
      </Card>
      <SignIns />
      <Card className="p-5 sm:p-6">
        <Passkeys />
      </Card>
      <Card className="p-5 sm:p-6">
        <MailPreferences />
      </Card>
      <Card className="p-5 sm:p-6">
        <PushSwitch />
      </Card>
      <Card className="p-5 sm:p-6">
        <SavedAddress />
      </Card>
      <Card className="p-5 sm:p-6">
        <SessionList />
      </Card>
      <Card className="p-5 sm:p-6">
        <OwnData />
      </Card>
      <Card className="p-5 sm:p-6">
        <DeleteAccount email={email} />
      </Card>
    </div>
  );
}
