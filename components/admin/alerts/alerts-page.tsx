'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useSession } from '@/components/session/use-session';
import { may, type Permission } from '@/lib/account/roles';
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
  const client = useQueryClient();
  const session = useSession();
  const mayDo = (permission: Permission) =>
    session.status === 'signed_in' && may(session.user.role, permission);
  const refresh = () => void client.invalidateQueries({ queryKey: ['desk-alerts'] });
  return (
    <div className="grid gap-8">
      <div className="grid gap-1">
        <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
        <p className="text-muted">{t('intro')}</p>
      </div>
      <AlertList mayAcknowledge={mayDo('desk')} onChange={refresh} />
      {mayDo('seeShop') ? <AlertRules mayEdit={mayDo('operator')} /> : null}
    </div>
  );
}
