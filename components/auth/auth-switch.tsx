'use client';

import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Suspense } from 'react';
import { Link } from '@/i18n/navigation';

interface AuthSwitchProps {
  to: 'register' | 'signin';
}

/** Leads from signing in to registering and back, without losing where the visitor wanted to go. */
export function AuthSwitch({ to }: AuthSwitchProps) {
  return (
    // The static page knows no query: it is added when the page comes alive.
    <Suspense fallback={<Switch to={to} query="" />}>
      <SwitchWithQuery to={to} />
    </Suspense>
  );
}

// Not from window.location, which still is the page before's while this one is rendered.
const SwitchWithQuery = ({ to }: AuthSwitchProps) => <Switch to={to} query={useSearchParams().toString()} />;

function Switch({ to, query }: AuthSwitchProps & { query: string }) {
  const t = useTranslations('Auth');
  return (
    <p className="text-muted">
      {t.rich(to === 'register' ? 'toRegister' : 'toSignIn', {
        link: (words) => (
          <Link
            href={query === '' ? `/${to}` : `/${to}?${query}`}
            prefetch={false}
            className="font-semibold text-text underline underline-offset-4"
          >
            {words}
          </Link>
        ),
      })}
    </p>
  );
}
