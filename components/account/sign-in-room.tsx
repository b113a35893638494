'use client';

import { Card } from '@/components/ui/card';
import { AccountRoom } from './account-room';
import { EmailForm } from './email-form';
import { Identities } from './identities';
import { PasswordForm } from './password-form';
import { SecondFactor } from './second-factor';
import { SessionList } from './session-list';

/** The room for everything that signs the visitor in: password, second factor, sign-in server, sessions, address. */
export function SignInRoom() {
  return (
    <AccountRoom room="signIn">
      {({ email }) => (
        <>
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
            <EmailForm email={email} />
          </Card>
        </>
      )}
    </AccountRoom>
  );
}
