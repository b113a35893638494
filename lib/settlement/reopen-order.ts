import 'server-only';
import { isDeleted } from '@/lib/account/is-deleted';
import { isAccountBlocked } from '@/lib/block/find-blocked';
import { nowMs } from '@/lib/clock';
import { type Db, db } from '@/lib/db/client';
import { isDataError } from '@/lib/db/sql-state';
import { transaction } from '@/lib/db/transaction';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { insertOrders } from '@/lib/order/records/insert-orders';
import type { EventActor } from '@/lib/order/records/order-event';
import { recordEvent } from '@/lib/order/records/record-event';
import { reopenFailedRow } from '@/lib/order/records/reopen-row';
import { type AcceptedOrder, acceptedOrderSchema } from '@/lib/outbox/accepted-order';
import { takers } from '@/lib/payment/providers/providers';
import { holdFreeUnits } from '@/lib/sale/records/committed-stock';
import { retakeUnits } from '@/lib/slice/retake-units';
import { releaseStock } from '@/lib/stock/release-stock';

export type ReopenedOrder = {
  status:
    | 'revived'
    | 'resolved'
    | 'not_readable'
    | 'not_released'
    | 'sold_out'
    | 'over_limit'
    | 'barred'
    | 'not_writable';
};

/** Steps for the dead letter, inside the order's transaction. */
type OnDeadLetter = {
  /** Marks the letter as resolved. @returns false if it was resolved before. */
  resolve: (tx: Db) => Promise<boolean>;
  /** Records the resolution; called last. */
  record: (tx: Db) => Promise<void>;
};

/** Rolls back; caught right here. */
class NotReopened extends Error {
  constructor(readonly status: 'resolved' | 'not_writable' | 'sold_out' | 'barred') {
    super(status);
  }
}

/**
 * Turns a purchase that was given up and released back into an order, if its units are free and the buyer's limit and account
 * allow it, with the full time to pay. Takes the units in Redis first, so that Redis can't sell them; gives them back if
 * Postgres refuses. The sweep cancels the order when its time is over.
 * @param letter the dead letter of the purchase.
 * @throws NotAllowedError as `resolve` does
 */
export async function reopenOrder(
  letter: { id: bigint; saleId: string | null; payload: unknown },
  actor: EventActor,
  onDeadLetter: OnDeadLetter,
): Promise<ReopenedOrder> {
  const order = acceptedOrderSchema.safeParse(letter.payload);
  if (!order.success || letter.saleId === null) return { status: 'not_readable' };
  // While this is under way no other process gives the hold back. A hold that was not given back yet is not ours to
  // take.
  const claimed = await db().$executeRaw`
    UPDATE dead_letters SET retried_at = now()
    WHERE id = ${letter.id} AND resolved_at IS NULL AND released_at IS NOT NULL`;
  if (claimed === 0) return { status: 'not_released' };
  const { orderNo, userId, quantity: units, variant, jti } = order.data;
  if (await isAccountBlocked(userId)) return { status: 'barred' };
  const stockOrder = { saleId: letter.saleId, orderNo, userId };
  const takenAt = nowMs();
  const { status } = await retakeUnits({ ...stockOrder, jti, units, variant, as: 'held', takenAt });
  if (status === 'sold_out' || status === 'over_limit') return { status };
  try {
    await transaction((tx) =>
      write(tx, stockOrder.saleId, { order: order.data, takenAt }, actor, onDeadLetter),
    );
    return { status: 'revived' };
  } catch (error) {
    const isForbidden = error instanceof NotAllowedError;
    const isRefused = error instanceof NotReopened || isForbidden || isDataError(error);
    if (!isRefused) throw error;
    // Another call may have been faster; then the units belong to its order.
    if (error instanceof NotReopened && error.status === 'resolved') return { status: 'resolved' };
    await releaseStock(stockOrder);
    if (isForbidden) throw error;
    return { status: error instanceof NotReopened ? error.status : 'not_writable' };
  }
}

async function write(
  tx: Db,
  saleId: string,
  { order, takenAt }: { order: AcceptedOrder; takenAt: number },
  actor: EventActor,
  { resolve, record }: OnDeadLetter,
): Promise<void> {
  if (!(await resolve(tx))) throw new NotReopened('resolved');
  const { orderNo, userId, variant } = order;
  if (await isDeleted(tx, userId)) throw new NotReopened('barred');
  const revived = await reopenFailedRow(tx, saleId, orderNo, takers());
  const units = revived ?? (await insertOrders(tx, saleId, [order], takers())).units;
  if (units === 0) throw new NotReopened('not_writable');
  await recordEvent(tx, { orderNo, actor, from: 'failed', to: 'pending_payment', cause: 'revived' });
  if (!(await holdFreeUnits(tx, { saleId, units, variant }, takenAt))) throw new NotReopened('sold_out');
  await record(tx);
}
