'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Notice } from '@/components/ui/notice';
import { Link } from '@/i18n/navigation';

/**
 * Says that the action needs two people and that nothing has been done yet. Links to the page where the second person
 * decides. Stands in a live region.
 * @param children who asked, and until when
 */
export function WaitsNotice({ children }: { children?: ReactNode }) {
  const t = useTranslations('AdminApprovals');
  return (
    <Notice tone="warning">
      <p>{t('waits')}</p>
      {children ? <p className="break-words">{children}</p> : null}
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
