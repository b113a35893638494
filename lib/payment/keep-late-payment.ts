import 'server-only';
import { isDeleted } from '@/lib/account/is-deleted';
import { isAccountBlocked } from '@/lib/block/find-blocked';
import { nowMs } from '@/lib/clock';
import { type Db, db } from '@/lib/db/client';
import { isDataError } from '@/lib/db/sql-state';
import { transaction } from '@/lib/db/transaction';
import { paymentKey } from '@/lib/ids/payment-key';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { announcePaid } from '@/lib/order/records/announce';
import { CONFIRM_PAID } from '@/lib/order/records/consumer-names';
import { type OrderToRetake, readForRetake } from '@/lib/order/records/read-for-retake';
import { readStand } from '@/lib/order/records/read-stand';
import { recordEvent } from '@/lib/order/records/record-event';
import { keepExpiredRow } from '@/lib/order/records/reopen-row';
import { markProcessed } from '@/lib/outbox/mark-processed';
import { decideRefund, isRefundOpen } from '@/lib/payment/records/decide-refund';
import type { StoredPayment } from '@/lib/payment/records/find-payment';
import { lockPayment } from '@/lib/payment/records/lock-payment';
import { movePayment } from '@/lib/payment/records/move-payment';
import { sellFreeUnits } from '@/lib/sale/records/committed-stock';
import { isStockInDatabase } from '@/lib/settlement/group-by-stock';
import { settleRefunded } from '@/lib/settlement/settle-refunded';
import { stockOfBuyer } from '@/lib/slice/loadings';
import { slicesOf } from '@/lib/slice/numbers/slices-of';
import { sliceNumberOf, stockFor } from '@/lib/slice/numbers/stock-ids';
import { retakeUnits } from '@/lib/slice/retake-units';
import { probeStock } from '@/lib/stock/probe-stock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import { takeBackStock } from '@/lib/stock/take-back-stock';

/** Rolls back when the order can't be kept; caught right here. */
class NotKept extends Error {}

/** `kept`: the order is paid. `refund`: the money goes back, for good. `done`: another process has dealt with it. */
type LateVerdict = 'kept' | 'refund' | 'done';

/**
 * Decides about money that is due back. If its order only ran out of time, its units are free and its account was neither
 * blocked nor deleted, it takes them again and is paid after all. Asks Redis first, so that it can't sell the same units; Postgres has
 * the last word. Idempotent at every point.
 * @throws connection errors, StockNotLoadedError while Redis is being loaded; calling again goes on where this ended.
 */
export async function keepLatePayment(payment: StoredPayment): Promise<LateVerdict> {
  const order = await readForRetake(payment.orderNo);
  const isOnlyLate = order.status === 'cancelled' && order.endReason === 'expired';
  if (!isOnlyLate || (await isAccountBlocked(order.userId)) || !(await isRefundOpen(db(), payment.paymentId)))
    return refuse(payment, order, isOnlyLate);
  const isInDatabase = await isStockInDatabase(order.saleId);
  // If the sale has no stock in Redis, Postgres alone decides.
  const takenAt = nowMs();
  const epoch = isInDatabase ? null : await retake(order, takenAt);
  const isFree = isInDatabase || epoch !== null;
  const kept = isFree ? await keep(payment, order, epoch, takenAt) : 'not_kept';
  const verdict = kept === 'not_kept' ? await refuse(payment, order, isOnlyLate) : kept;
  if (verdict === 'done' && epoch !== null) await undoRetake(order);
  return verdict;
}

/** Decides that the money goes back. */
function refuse(
  payment: StoredPayment,
  order: OrderToRetake,
  isOnlyLate: boolean,
): Promise<'refund' | 'done'> {
  return transaction(async (tx) => {
    await lockPayment(tx, payment.provider, payment.paymentId);
    if (!(await decideRefund(tx, payment.paymentId)) && !(await isDue(tx, payment))) return 'done';
    // Under the payment's lock, so that no other process can be about to keep the money. Also when the refund was
    // decided before: the process that decided may have died before this step.
    if (isOnlyLate && !(await isStockInDatabase(order.saleId))) await takeBackStock(order, true);
    return 'refund';
  });
}

/**
 * Gives back units that this process has set aside too late: meanwhile another one has kept the money or sent it back,
 * and an order that was kept may even have been refunded. A paid order keeps them.
 */
async function undoRetake(order: OrderToRetake): Promise<void> {
  const { status } = await readStand(db(), order.orderNo);
  if (status === 'refunded') await settleRefunded([order]);
  else if (status !== 'paid') await takeBackStock(order, true);
}

const isDue = async (tx: Db, { paymentId }: StoredPayment): Promise<boolean> =>
  (await tx.payment.count({ where: { ...paymentKey(paymentId), id: paymentId, status: 'refund_due' } })) ===
  1;

/** Sets the order's units aside in Redis. @returns the epoch of the loading that did so; null: they are not free. */
async function retake(order: OrderToRetake, takenAt: number): Promise<number | null> {
  // Read the epoch before asking Redis: if Redis loses the units right after that, the epoch no longer matches the
  // sale's.
  const epoch = await findLoadedEpoch(order);
  const { status } = await retakeUnits({ ...order, as: 'sold', takenAt });
  if (status === 'unknown_sale') throw new StockNotLoadedError(`${order.saleId} is being loaded anew`);
  return status === 'sold_out' || status === 'over_limit' ? null : epoch;
}

async function findLoadedEpoch({ saleId, userId }: OrderToRetake): Promise<number> {
  const stockId = stockFor(saleId, userId, await slicesOf(saleId));
  let probe = await probeStock(stockId);
  if (probe.status !== 'loaded') {
    await ensureStockLoaded(saleId, [sliceNumberOf(stockId)]);
    probe = await probeStock(stockId);
  }
  if (probe.status !== 'loaded') throw new StockNotLoadedError(`${stockId} is not loaded`);
  return probe.epoch;
}

/**
 * Pays the order after all. @param epoch of the loading of Redis that has set the units aside, null if the stock is
 * in Postgres
 */
async function keep(
  payment: StoredPayment,
  order: OrderToRetake,
  epoch: number | null,
  takenAt: number,
): Promise<LateVerdict | 'not_kept'> {
  const { paymentId, orderNo, provider, amountMinor, currency } = payment;
  const { saleId } = order;
  try {
    return await transaction(async (tx) => {
      await lockPayment(tx, provider, paymentId);
      if (!(await isRefundOpen(tx, paymentId))) return (await isDue(tx, payment)) ? 'not_kept' : 'done';
      // There is no account any more that could be told of the order, or ask for it.
      if (await isDeleted(tx, order.userId)) throw new NotKept();
      if (!(await keepExpiredRow(tx, orderNo))) throw new NotKept();
      await movePayment(tx, paymentId, ['refund_due'], 'succeeded');
      await markProcessed(tx, CONFIRM_PAID, [orderNo]);
      await recordEvent(tx, {
        orderNo,
        actor: { kind: 'system' },
        from: 'cancelled',
        to: 'paid',
        cause: 'late_payment_kept',
        data: { amountMinor, currency },
      });
      await announcePaid(tx, { saleId, orderNo }, 'late_payment_kept');
      if (!(await sellFreeUnits(tx, order, takenAt))) throw new NotKept();
      // From here on the sale's row is locked, so the next load of Redis includes what this transaction does.
      if (epoch === null) {
        // Redis has the stock again, and was not asked for the units.
        if (!(await isStockInDatabase(saleId))) throw new NotKept();
      } else if ((await findEpochInPostgres(tx, order)) !== epoch) {
        // Redis was loaded again, or is about to be, and may have sold the units to another shopper.
        throw new StockNotLoadedError(`${saleId} was loaded anew while late money was being kept`);
      }
      return 'kept';
    });
  } catch (error) {
    // A data error means that another live order of this user stands in the way.
    if (error instanceof NotKept || isDataError(error)) return 'not_kept';
    throw error;
  }
}

/** Returns the epoch that Postgres gives the stock from which the order was bought. */
async function findEpochInPostgres(tx: Db, { saleId, userId }: OrderToRetake): Promise<number | undefined> {
  const sale = await tx.sale.findUnique({ where: { id: saleId } });
  return sale ? stockOfBuyer({ ...sale, saleId }, userId).epoch : undefined;
}
