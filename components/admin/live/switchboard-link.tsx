'use client';

import { useTranslations } from 'next-intl';
import { useMay } from '@/components/session/use-may';
import { Link } from '@/i18n/navigation';

/** Leads to the switchboard; nothing for those who may not see it. */
export function SwitchboardLink() {
  const t = useTranslations('AdminSwitchboard');
  if (!useMay('seeShop')) return null;
  return (
    <Link href="/admin/switchboard" prefetch={false} className="font-semibold underline underline-offset-4">
      {t('toSwitchboard')}
    </Link>
  );
}
