import 'server-only';
import type { Db } from '@/lib/db/client';
import { findWritten } from '@/lib/order/records/find-written';
import { type AcceptedOrder, acceptedOf } from '@/lib/outbox/accepted-order';
import { putAccepted } from '@/lib/outbox/put-accepted';
import { readAccepted } from '@/lib/outbox/read-accepted';
import { readSent } from '@/lib/outbox/read-sent';
import { readAgainFrom } from '@/lib/payment/records/statement-mark';
import { survivingPurchases } from '@/lib/stock/surviving-purchases';

/** How many entries are put back at a time. */
const CHUNK = 500;
const NONE: ReadonlySet<string> = new Set();

type Lost = {
  epoch: number | null;
  remembered: readonly AcceptedOrder[];
  of?: { stockId: string; isHere: (userId: string) => boolean };
};

/**
 * Finds the accepted purchases that Postgres has not dealt with: in the executor, the outbox, a surviving buyer record, or
 * this process's memory; the last two get a new message. Reads as purchases move, Postgres last. The sale must be
 * withdrawn; unless its row is locked, the caller asks again under the lock.
 * @param lost `epoch` of the loading that was lost, null if nothing of it is left; `remembered` by this process; `of` a
 *   slice, if only one of a split sale was lost, and who buys there.
 */
export async function findInFlight(
  tx: Db,
  saleId: string,
  { epoch, remembered, of }: Lost,
): Promise<AcceptedOrder[]> {
  const found = new Map<string, AcceptedOrder>();
  const add = (orders: readonly AcceptedOrder[]) => {
    for (const order of orders) if (!found.has(order.orderNo)) found.set(order.orderNo, order);
  };
  const stockId = of?.stockId ?? saleId;
  const waiting = await readAccepted(stockId);
  const sent = (await readSent(tx, saleId)) ?? [];
  add(of ? sent.filter(({ userId }) => of.isHere(userId)) : sent);
  add(waiting);
  const withMessage = found.size;
  const sold = new Set<string>();
  for await (const page of survivingPurchases(stockId)) {
    // Postgres has those that were sold, unless it was restored from a backup: only what it lacks is kept in memory.
    const paid = page.filter(({ state }) => state === 'sold').map(({ orderNo }) => orderNo);
    const known = paid.length > 0 ? await findWritten(tx, saleId, paid) : NONE;
    for (const orderNo of paid) if (!known.has(orderNo)) sold.add(orderNo);
    const rest = page.filter(({ orderNo }) => !known.has(orderNo));
    add(rest.map((record) => acceptedOf({ ...record, epoch: epoch ?? 0 })));
  }
  add(remembered);

  const orders = [...found.values()];
  const written = await findWritten(tx, saleId, [...found.keys()]);
  const isOpen = ({ orderNo }: AcceptedOrder) => !written.has(orderNo);
  const silent = orders.slice(withMessage).filter(isOpen);
  for (let at = 0; at < silent.length; at += CHUNK) {
    await Promise.all(silent.slice(at, at + CHUNK).map((order) => putAccepted(stockId, order)));
  }
  const open = orders.filter(isOpen);
  // Their money may be on statements that were read before the orders were there.
  const soldAt = open.filter(({ orderNo }) => sold.has(orderNo)).map(({ acceptedAt }) => acceptedAt);
  if (soldAt.length > 0)
    await readAgainFrom(
      tx,
      soldAt.reduce((first, at) => Math.min(first, at)),
    );
  return open;
}
