'use client';

import { useTranslations } from 'next-intl';
import { useIsClient } from '@/components/ui/use-is-client';
import { Link } from '@/i18n/navigation';

/** Leads from signing in to registering and back, without losing where the visitor wanted to go. */
export function AuthSwitch({ to }: { to: 'register' | 'signin' }) {
  const t = useTranslations('Auth');
  const isClient = useIsClient();
  const search = isClient ? window.location.search : '';
  return (
    <p className="text-muted">
      {t.rich(to === 'register' ? 'toRegister' : 'toSignIn', {
        link: (words) => (
          <Link
            href={`/${to}${search}`}
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
