'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { isOperator, useSession } from '@/components/session/use-session';
import { buttonStyle } from '@/components/ui/button';
import { Link } from '@/i18n/navigation';
import { DeskGate } from '../desk-gate';
import { AlertList } from './alert-list';
import { AlertRules } from './alert-rules';

/** What needs somebody, what did, and when somebody is told. */
export function AlertsPage() {
  return (
    <DeskGate>
      <Alerts />
    </DeskGate>
  );
}

function Alerts() {
  const t = useTranslations('DeskAlerts');
  const admin = useTranslations('Admin');
  const client = useQueryClient();
  const session = useSession();
  const refresh = () => void client.invalidateQueries({ queryKey: ['desk-alerts'] });
  return (
    <div className="grid gap-8">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid gap-1">
          <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
          <p className="text-muted">{t('intro')}</p>
        </div>
        <Link href="/admin/sales" prefetch={false} className={buttonStyle({ tone: 'quiet' })}>
          {admin('allSales')}
        </Link>
      </div>
      <AlertList onChange={refresh} />
      {session.status === 'signed_in' && isOperator(session.user.role) ? <AlertRules /> : null}
    </div>
  );
}
