'use client';

import { signOut } from 'next-auth/react';
import { useTranslations } from 'next-intl';
import { Bell } from '@/components/notify/bell';
import { useRefreshSession, useSession } from '@/components/session/use-session';
import { Link, usePathname, useRouter } from '@/i18n/navigation';
import { may } from '@/lib/account/roles';
import { navLinkStyle } from './nav-link-style';

/** The part of the header that depends on who is signed in; asked for by the browser, so that pages stay static. */
export function SessionNav() {
  const t = useTranslations('Layout');
  const session = useSession();
  const refresh = useRefreshSession();
  const router = useRouter();
  const pathname = usePathname();

  const leave = async () => {
    await signOut({ redirect: false });
    await refresh();
    router.push('/');
  };

  if (session.status === 'loading') return <span className="min-h-11 w-24" />;
  if (session.status === 'signed_out') {
    const isSigningIn = pathname === '/signin' || pathname === '/register';
    return (
      <Link
        href={isSigningIn ? '/signin' : { pathname: '/signin', query: { callbackUrl: pathname } }}
        className={navLinkStyle}
        prefetch={false}
      >
        {t('signIn')}
      </Link>
    );
  }
  return (
    <>
      {may(session.user.role, 'seeDesk') ? (
        <Link href="/admin/sales" className={navLinkStyle} prefetch={false}>
          {t('desk')}
        </Link>
      ) : null}
      <Link href="/orders" className={navLinkStyle} prefetch={false}>
        {t('orders')}
      </Link>
      <Bell />
      <button
        type="button"
        onClick={() => void leave()}
        className={navLinkStyle}
        title={t('signedInAs', { name: session.user.name ?? session.user.email })}
      >
        {t('signOut')}
      </button>
    </>
  );
}
