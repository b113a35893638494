'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { SignInPrompt } from '@/components/session/sign-in-prompt';
import { useSession } from '@/components/session/use-session';
import { LINK } from '@/components/ui/link-style';
import { Link, usePathname } from '@/i18n/navigation';
import type { SessionUser } from '@/lib/contract/shapes/account';

/** Shows its children to a signed-in visitor, and asks others to sign in. */
export function ForVisitor({ children }: { children: (user: SessionUser) => ReactNode }) {
  const common = useTranslations('Common');
  const session = useSession();
  const pathname = usePathname();
  if (session.status === 'loading') return <p className="text-lg text-muted">{common('loading')}</p>;
  if (session.status === 'signed_out')
    return <SignInPrompt text={common('signInFirst')} callbackPath={pathname} />;
  return children(session.user);
}

/** Says whose account it is. */
export function Whose({ user: { email, role } }: { user: SessionUser }) {
  const roles = useTranslations('Account.roles');
  return (
    <p className="wrap-anywhere text-muted">
      {email} · {roles(role)}
    </p>
  );
}

interface AccountRoomProps {
  room: 'addresses' | 'signIn' | 'language' | 'data';
  children: (user: SessionUser) => ReactNode;
}

/** Shows one room of the visitor's account, with the way back to all of them. */
export function AccountRoom({ room, children }: AccountRoomProps) {
  const t = useTranslations('Account');
  return (
    <ForVisitor>
      {(user) => (
        <div className="grid gap-6">
          <div className="grid gap-1">
            <Link href="/account" prefetch={false} className={`${LINK} justify-self-start`}>
              {t('heading')}
            </Link>
            <h1 className="font-bold text-3xl tracking-tight">{t(`rooms.${room}.name`)}</h1>
            <Whose user={user} />
          </div>
          {children(user)}
        </div>
      )}
    </ForVisitor>
  );
}
