'use client';

import { useTranslations } from 'next-intl';
import { useRefreshLists } from '@/components/api/use-list';
import { useMay } from '@/components/session/use-may';
import { PageHeading } from '@/components/ui/headings';
import { AdminGate } from '../kit/admin-gate';
import { AlertList } from './alert-list';
import { AlertRules } from './alert-rules';

/** What needs somebody, what did, and when somebody is told. */
export function AlertsPage() {
  return (
    <AdminGate>
      <Alerts />
    </AdminGate>
  );
}

function Alerts() {
  const t = useTranslations('AdminAlerts');
  const refreshLists = useRefreshLists();
  const mayAcknowledge = useMay('manageSales');
  const maySeeRules = useMay('seeShop');
  const mayEdit = useMay('operator');
  const refresh = () => refreshLists('GET /api/admin/alerts');
  return (
    <div className="grid gap-8">
      <PageHeading heading={t('heading')} intro={t('intro')} />
      <AlertList mayAcknowledge={mayAcknowledge} onChange={refresh} />
      {maySeeRules ? <AlertRules mayEdit={mayEdit} /> : null}
    </div>
  );
}
