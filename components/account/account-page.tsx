'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { SignInPrompt } from '@/components/session/sign-in-prompt';
import { useSession } from '@/components/session/use-session';
import { Card } from '@/components/ui/card';
import { DeleteAccount } from './delete-account';
import { Deleted } from './deleted';
import { EmailForm } from './email-form';
import { Identities } from './identities';
import { OwnData } from './own-data';
import { OwnLevel } from './own-level';
import { PasswordForm } from './password-form';
import { SecondFactor } from './second-factor';
import { SessionList } from './session-list';

/** Shows the visitor's account: its level, address, password, two-step sign-in, sessions and data, and the way to delete it. */
export function AccountPage() {
  const t = useTranslations('Account');
  const roles = useTranslations('Account.roles');
  const common = useTranslations('Common');
  const session = useSession();
  const [isDeleted, setDeleted] = useState(false);
  if (isDeleted) return <Deleted />;
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
      <OwnLevel />
      <Card className="p-5 sm:p-6">
        <EmailForm email={email} />
      </Card>
      <Card className="p-5 sm:p-6">
        <PasswordForm email={email} />
      </Card>
      <Card className="p-5 sm:p-6">
        <SecondFactor email={email} />
      </Card>
      <Identities email={email} />
      <Card className="p-5 sm:p-6">
        <SessionList />
      </Card>
      <Card className="p-5 sm:p-6">
        <OwnData />
      </Card>
      <Card className="p-5 sm:p-6">
        <DeleteAccount email={email} onDeleted={() => setDeleted(true)} />
      </Card>
    </div>
  );
}
