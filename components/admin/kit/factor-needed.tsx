'use client';

import { useTranslations } from 'next-intl';
import { buttonStyle } from '@/components/ui/button';
import { CenteredMessage } from '@/components/ui/centered-message';
import { Link } from '@/i18n/navigation';

/** Tells staff that the shop requires a second factor of them, and leads to where they add one. */
export function FactorNeeded() {
  const t = useTranslations('Admin');
  return (
    <CenteredMessage heading={t('factorNeeded')} text={t('factorNeededText')}>
      <Link href="/account/sign-in" prefetch={false} className={buttonStyle({ tone: 'primary' })}>
        {t('factorAdd')}
      </Link>
    </CenteredMessage>
  );
}
