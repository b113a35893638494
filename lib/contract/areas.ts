import type { Area, Operation } from './operation';
import * as operations from './operations';
import { account } from './operations/account';
import { adminAlerts } from './operations/admin-alerts';
import { adminApprovals } from './operations/admin-approvals';
import { adminAudit } from './operations/admin-audit';
import { adminBlocks } from './operations/admin-blocks';
import { adminCampaigns } from './operations/admin-campaigns';
import { adminLevels } from './operations/admin-levels';
import { adminOrders } from './operations/admin-orders';
import { adminPeople } from './operations/admin-people';
import { adminProducts } from './operations/admin-products';
import { adminQueues } from './operations/admin-queues';
import { adminReconcile } from './operations/admin-reconcile';
import { adminRehearsals } from './operations/admin-rehearsals';
import { adminRisk } from './operations/admin-risk';
import { adminSales } from './operations/admin-sales';
import { adminSetup } from './operations/admin-setup';
import { adminShops } from './operations/admin-shops';
import { adminSwitchboard } from './operations/admin-switchboard';
import { adminUsers } from './operations/admin-users';
import { decisionLog } from './operations/decision-log';
import { secondFactor } from './operations/factors';
import { health } from './operations/health';
import { signInServer } from './operations/identities';
import { orders } from './operations/orders';
import { payments } from './operations/payments';
import { shop } from './operations/shop';

/** All documented areas, in the order in which the page shows them. */
export const AREAS: readonly Area[] = [
  shop,
  orders,
  decisionLog,
  payments,
  account,
  secondFactor,
  signInServer,
  adminSales,
  adminRehearsals,
  adminProducts,
  adminCampaigns,
  adminOrders,
  adminApprovals,
  adminBlocks,
  adminRisk,
  adminAlerts,
  adminQueues,
  adminReconcile,
  adminSwitchboard,
  adminPeople,
  adminShops,
  adminUsers,
  adminLevels,
  adminAudit,
  adminSetup,
  health,
];

const IDS = new Map<unknown, string>(Object.entries(operations).map(([id, one]) => [one, id]));

/** Returns the `operationId` of an operation of the contract. @throws RangeError if it is in none of the files */
export function idOf(operation: Operation): string {
  const id = IDS.get(operation);
  if (!id) throw new RangeError(`${operation.method} ${operation.path} is exported by no file of operations`);
  return id;
}
