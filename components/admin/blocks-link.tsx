'use client';

import { useTranslations } from 'next-intl';
import { isOperator, useSession } from '@/components/session/use-session';
import { buttonStyle } from '@/components/ui/button';
import { Link } from '@/i18n/navigation';

/** The way to the blocklist, for those who may see it. */
export function BlocksLink() {
  const t = useTranslations('Admin.blocks');
  const session = useSession();
  if (session.status !== 'signed_in' || !isOperator(session.user.role)) return null;
  return (
    <Link href="/admin/blocks" prefetch={false} className={buttonStyle({ tone: 'quiet' })}>
      {t('link')}
    </Link>
  );
}
