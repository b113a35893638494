'use client';

import { useTranslations } from 'next-intl';
import { PageHeading } from '@/components/ui/headings';
import { AdminGate } from '../kit/admin-gate';
import { InviteForm } from './invite-form';
import { UserTable } from './user-table';

/** Who has an account, and what they may do. */
export function UsersPage() {
  const t = useTranslations('AdminUsers');
  return (
    <AdminGate permission="manageUsers" refusal={t('forbidden')}>
      <div className="grid gap-8">
        <PageHeading heading={t('heading')} intro={t('intro')} />
        <InviteForm />
        <UserTable />
      </div>
    </AdminGate>
  );
}
