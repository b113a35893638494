import type { Area, Operation } from './operation';
import * as operations from './operations';

/** All documented areas, in the order in which the page shows them. */
export const AREAS: readonly Area[] = [
  operations.shop,
  operations.orders,
  operations.addresses,
  operations.decisionLog,
  operations.payments,
  operations.account,
  operations.secondFactor,
  operations.signInServer,
  operations.adminSales,
  operations.adminRehearsals,
  operations.adminProducts,
  operations.adminMedia,
  operations.adminCampaigns,
  operations.adminOrders,
  operations.adminDeliveries,
  operations.adminTakings,
  operations.adminApprovals,
  operations.adminBlocks,
  operations.adminRisk,
  operations.adminAlerts,
  operations.adminQueues,
  operations.adminReconcile,
  operations.adminSwitchboard,
  operations.adminPeople,
  operations.adminShops,
  operations.adminUsers,
  operations.adminLevels,
  operations.adminAudit,
  operations.adminSetup,
  operations.health,
];

const IDS = new Map<unknown, string>(Object.entries(operations).map(([id, one]) => [one, id]));

/** Returns the `operationId` of an operation of the contract. @throws RangeError if it is in none of the files */
export function idOf(operation: Operation): string {
  const id = IDS.get(operation);
  if (!id) throw new RangeError(`${operation.method} ${operation.path} is exported by no file of operations`);
  return id;
}
