'use client';

import { useTranslations } from 'next-intl';
import { Notice } from '@/components/ui/notice';
import { Link } from '@/i18n/navigation';

/** What was asked for takes two people: nothing has been done yet, and where the other one finds it. */
export function WaitsNotice() {
  const t = useTranslations('DeskApprovals');
  return (
    <Notice tone="warning" role="status">
      <p>{t('waits')}</p>
      <Link
        href="/admin/approvals"
        prefetch={false}
        className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
      >
        {t('toApprovals')}
      </Link>
    </Notice>
  );
}
