'use client';

import { useTranslations } from 'next-intl';
import { buttonStyle } from '@/components/ui/button';
import { CenteredMessage } from '@/components/ui/centered-message';
import { Link } from '@/i18n/navigation';

/** Asks a signed-out visitor to sign in, and brings them back here. @param callbackPath path without its language */
export function SignInPrompt({ text, callbackPath }: { text: string; callbackPath: string }) {
  const t = useTranslations('Common');
  return (
    <CenteredMessage heading={t('signIn')} text={text}>
      <Link
        href={`/signin?callbackUrl=${encodeURIComponent(callbackPath)}`}
        className={buttonStyle({ tone: 'primary' })}
        prefetch={false}
      >
        {t('signIn')}
      </Link>
    </CenteredMessage>
  );
}
