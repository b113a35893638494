'use client';

import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Suspense } from 'react';
import { Link } from '@/i18n/navigation';

interface AuthSwitchProps {
  to: 'register' | 'signin';
}

/** Links from signing in to registering and back, and keeps the page the visitor wanted to go to. */
export function AuthSwitch({ to }: AuthSwitchProps) {
  return (
    // The prerendered page knows no query: the browser adds it when the page hydrates.
    <Suspense fallback={<Switch to={to} query="" />}>
      <SwitchWithQuery to={to} />
    </Suspense>
  );
}

// Not read from window.location: that still holds the previous page's address while this page renders.
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
