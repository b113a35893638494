import 'server-only';
import type { Db } from '@/lib/db/client';
import { openingOf, pseudonymOf } from '@/lib/ids/pseudonym';

const BATCH_SIZE = 5_000;

/** How often the log has accepted an order, by its pseudonym. */
export type LoggedOrders = Map<string, number>;

type Waiting = { kind: string; order?: string };

/**
 * Compares the orders of a sale with what its log has accepted, decisions that wait for their place included. Orders that
 * were written before there were logs have no leaf.
 * @param key of the sale's pseudonyms; null: it has no log yet
 * @param accepted is emptied on the way
 */
export async function compareOrders(
  tx: Db,
  saleId: string,
  key: string | null,
  accepted: LoggedOrders,
): Promise<string[]> {
  const waiting = await readWaiting(tx, saleId);
  const { at: start } = await tx.decisionLogStart.findFirstOrThrow();
  const problems: string[] = [];
  for (let after = -1n; ; ) {
    const orders = await tx.$queryRaw<{ id: bigint; createdAt: Date }[]>`
      SELECT id, created_at AS "createdAt" FROM orders
      WHERE sale_id = ${saleId} AND id > ${after} ORDER BY id LIMIT ${BATCH_SIZE}`;
    for (const { id, createdAt } of orders) {
      const logged = key === null ? '' : pseudonymOf(openingOf(key, String(id)));
      const times = (accepted.get(logged) ?? 0) + (waiting.get(String(id)) ?? 0);
      if (times === 0 && createdAt >= start) problems.push(`order ${id} has no leaf`);
      if (times > 1) problems.push(`order ${id} has ${times} leaves`);
      accepted.delete(logged);
    }
    const last = orders.at(-1);
    if (!last) break;
    after = last.id;
  }
  if (accepted.size > 0) problems.push(`${accepted.size} accepted leaves have no order`);
  return problems;
}

async function readWaiting(tx: Db, saleId: string): Promise<Map<string, number>> {
  const batches = await tx.decisionBatch.findMany({ where: { saleId }, select: { decisions: true } });
  const waiting = new Map<string, number>();
  for (const { kind, order } of batches.flatMap(({ decisions }) => decisions as Waiting[]))
    if (kind === 'accepted' && order) waiting.set(order, (waiting.get(order) ?? 0) + 1);
  return waiting;
}
