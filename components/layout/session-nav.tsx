'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Bell } from '@/components/notify/bell';
import { useSession } from '@/components/session/use-session';
import { useSignOut } from '@/components/session/use-sign-out';

import { cn } from '@/components/ui/cn';
import { navLinkStyle } from '@/components/ui/nav-link-style';
import { Link, usePathname, useRouter } from '@/i18n/navigation';
import { may } from '@/lib/contract/words/roles';
import { isolated } from '@/lib/human-text';

/** Shows the part of the header that depends on who is signed in. The browser asks for it, so that pages stay static. */
export function SessionNav() {
  const t = useTranslations('Layout');
  const session = useSession();
  const signOut = useSignOut();
  const [hasFailed, setFailed] = useState(false);
  const router = useRouter();
  const pathname = usePathname();

  const leave = async () => {
    try {
      await signOut();
      router.push('/');
      setFailed(false);
    } catch {
      // The shop could not be reached: the session goes on, and the button says so.
      setFailed(true);
    }
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
      {may(session.user.role, 'seeAdmin') ? (
        <Link
          href="/admin/sales"
          // A telephone's header has no room for it where the area's own menu is.
          className={cn(navLinkStyle, pathname.startsWith('/admin') && 'max-sm:hidden')}
          prefetch={false}
        >
          {t('admin')}
        </Link>
      ) : null}
      <Link href="/orders" className={navLinkStyle} prefetch={false}>
        {t('orders')}
      </Link>
      <Bell />
      <Link
        href="/account"
        className={cn(navLinkStyle, 'justify-center')}
        prefetch={false}
        aria-label={t('account')}
        title={t('signedInAs', { name: isolated(session.user.name ?? session.user.email) })}
      >
        <PersonIcon />
      </Link>
      <button
        type="button"
        onClick={() => void leave()}
        className={cn(navLinkStyle, hasFailed && 'text-danger!')}
      >
        {t(hasFailed ? 'signOutAgain' : 'signOut')}
      </button>
    </>
  );
}

const PersonIcon = () => (
  <svg
    viewBox="0 0 24 24"
    aria-hidden="true"
    className="size-6"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
  >
    <circle cx="12" cy="8" r="4" />
    <path d="M4 21c0-4 3.6-7 8-7s8 3 8 7" strokeLinecap="round" />
  </svg>
);
