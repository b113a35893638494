import 'server-only';
import type { Leaf } from '@/lib/contract/shapes/decision-log';
import type { Db } from '@/lib/db/client';
import { openingOf, pseudonymOf } from '@/lib/decision-log/pseudonym';
import { fault } from './faults';
import { toBeNamed } from './name-accounts';

const BATCH_SIZE = 5_000;

/** How often the log has accepted an order, by its pseudonym; whose it is, and its units. */
export type LoggedOrders = Map<string, { times: number; who: string; units: number }>;

/** Takes a leaf of any kind. */
export function noteAccepted(accepted: LoggedOrders, { kind, order, who, detail }: Leaf): void {
  if (kind !== 'accepted' || order === undefined) return;
  accepted.set(order, { times: (accepted.get(order)?.times ?? 0) + 1, who, units: Number(detail.units) });
}

/**
 * Compares the orders of a sale with what its log has accepted. Orders that were written before there were logs have no
 * leaf.
 * @param key of the sale's pseudonyms
 * @param accepted is emptied on the way
 */
export async function compareOrders(
  tx: Db,
  saleId: string,
  key: string,
  accepted: LoggedOrders,
): Promise<string[]> {
  const { at: start } = await tx.decisionLogStart.findFirstOrThrow();
  const name = (text: string) => pseudonymOf(openingOf(key, text));
  const problems: string[] = [];
  for (let after = -1n; ; ) {
    const orders = await tx.$queryRaw<{ id: bigint; userId: string; units: number; createdAt: Date }[]>`
      SELECT id, user_id AS "userId", quantity AS units, created_at AS "createdAt" FROM orders
      WHERE sale_id = ${saleId} AND id > ${after} ORDER BY id LIMIT ${BATCH_SIZE}`;
    for (const { id, userId, units, createdAt } of orders) {
      const order = String(id);
      const logged = accepted.get(name(order));
      accepted.delete(name(order));
      if (!logged) {
        if (createdAt >= start) problems.push(fault('order_unlogged', { order }));
        continue;
      }
      if (logged.times > 1) problems.push(fault('order_logged_twice', { order, times: logged.times }));
      if (logged.who !== name(userId))
        problems.push(fault('order_of_another', { order, userId, who: toBeNamed(logged.who) }));
      if (logged.units !== units)
        problems.push(fault('order_units', { order, units, accepted: logged.units }));
    }
    const last = orders.at(-1);
    if (!last) break;
    after = last.id;
  }
  for (const { who } of accepted.values()) problems.push(fault('order_gone', { who: toBeNamed(who) }));
  return problems;
}
