import type { Area } from '../operation';
import { account } from './account';
import { deskAlerts } from './desk-alerts';
import { deskApprovals } from './desk-approvals';
import { deskAudit } from './desk-audit';
import { deskBlocks } from './desk-blocks';
import { deskOrders } from './desk-orders';
import { deskProducts } from './desk-products';
import { deskQueues } from './desk-queues';
import { deskReconcile } from './desk-reconcile';
import { deskRehearsals } from './desk-rehearsals';
import { deskRisk } from './desk-risk';
import { deskSales } from './desk-sales';
import { deskUsers } from './desk-users';
import { health } from './health';
import { orders } from './orders';
import { payments } from './payments';
import { shop } from './shop';

/** All that is documented, in the order in which the page shows it. */
export const AREAS: readonly Area[] = [
  ...[shop, orders, payments, account],
  ...[deskSales, deskRehearsals, deskProducts, deskOrders, deskApprovals, deskBlocks, deskRisk],
  ...[deskAlerts, deskQueues, deskReconcile, deskUsers, deskAudit],
  health,
];
