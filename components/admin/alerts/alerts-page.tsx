'use client';

import { useRefreshLists } from '@/components/api/use-list';
import { useMay } from '@/components/session/use-may';
import { adminPage, PageFrame } from '../kit/admin-page';
import { useMayInShop } from '../kit/use-shops';
import { AlertList } from './alert-list';
import { AlertRules } from './alert-rules';

/** Shows the alerts that need attention now, the past ones, and the rules that decide when staff are told. */
function Alerts() {
  const refreshLists = useRefreshLists();
  const mayAcknowledge = useMayInShop('work');
  const maySeeRules = useMay('seeShop');
  const mayEdit = useMay('operator');
  const refresh = () => refreshLists('GET /api/admin/alerts');
  return (
    <PageFrame words="AdminAlerts">
      <AlertList mayAcknowledge={mayAcknowledge} onChange={refresh} />
      {maySeeRules ? <AlertRules mayEdit={mayEdit} /> : null}
    </PageFrame>
  );
}

export const AlertsPage = adminPage(Alerts);
