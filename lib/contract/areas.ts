import type { Area } from './operation';
import { account } from './operations/account';
import { deskAlerts } from './operations/admin-alerts';
import { deskApprovals } from './operations/admin-approvals';
import { deskAudit } from './operations/admin-audit';
import { deskBlocks } from './operations/admin-blocks';
import { deskOrders } from './operations/admin-orders';
import { deskProducts } from './operations/admin-products';
import { deskQueues } from './operations/admin-queues';
import { deskReconcile } from './operations/admin-reconcile';
import { deskRehearsals } from './operations/admin-rehearsals';
import { deskRisk } from './operations/admin-risk';
import { deskSales } from './operations/admin-sales';
import { deskUsers } from './operations/admin-users';
import { health } from './operations/health';
import { orders } from './operations/orders';
import { payments } from './operations/payments';
import { shop } from './operations/shop';

/** All that is documented, in the order in which the page shows it. */
export const AREAS: readonly Area[] = [
  shop,
  orders,
  payments,
  account,
  deskSales,
  deskRehearsals,
  deskProducts,
  deskOrders,
  deskApprovals,
  deskBlocks,
  deskRisk,
  deskAlerts,
  deskQueues,
  deskReconcile,
  deskUsers,
  deskAudit,
  health,
];
