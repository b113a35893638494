import type { Area } from './operation';
import { account } from './operations/account';
import { addresses } from './operations/addresses';
import { adminAlerts } from './operations/admin-alerts';
import { adminApprovals } from './operations/admin-approvals';
import { adminAudit } from './operations/admin-audit';
import { adminBlocks } from './operations/admin-blocks';
import { adminCampaigns } from './operations/admin-campaigns';
import { adminDeliveries } from './operations/admin-deliveries';
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
  addresses,
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
  adminDeliveries,
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
