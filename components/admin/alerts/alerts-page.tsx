'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useMay } from '@/components/session/use-may';
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
  const mayAcknowledge = useMay('desk');
  const maySeeRules = useMay('seeShop');
  const mayEdit = useMay('operator');
  const refresh = () => void client.invalidateQueries({ queryKey: ['desk-alerts'] });
  return (
    <div className="grid gap-8">
      <div className="grid gap-1">
        <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
        <p className="text-muted">{t('intro')}</p>
      </div>
      <AlertList mayAcknowledge={mayAcknowledge} onChange={refresh} />
      {maySeeRules ? <AlertRules mayEdit={mayEdit} /> : null}
    </div>
  );
}
