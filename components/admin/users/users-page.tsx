'use client';

import { useTranslations } from 'next-intl';
import { DeskGate } from '../desk-gate';
import { InviteForm } from './invite-form';
import { UserTable } from './user-table';

/** Who has an account, and what they may do. */
export function UsersPage() {
  const t = useTranslations('DeskUsers');
  return (
    <DeskGate permission="manageUsers" refusal={t('forbidden')}>
      <div className="grid gap-8">
        <div className="grid gap-1">
          <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
          <p className="text-muted">{t('intro')}</p>
        </div>
        <InviteForm />
        <UserTable />
      </div>
    </DeskGate>
  );
}
