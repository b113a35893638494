import 'server-only';
import type { Difference } from '@/lib/contract/shapes/reconcile';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { leaveRedis } from '@/lib/fallback/records/change-mode';
import { orderKey } from '@/lib/ids/order-key';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { rebuildSlices } from '@/lib/loading/rebuild-slices';
import { rebuildStock } from '@/lib/loading/rebuild-stock';
import { returnToRedis } from '@/lib/loading/return-to-redis';
import { acceptedOf } from '@/lib/outbox/accepted-order';
import { openSale } from '@/lib/outbox/open-sales';
import { putAccepted } from '@/lib/outbox/put-accepted';
import { askAgain } from '@/lib/payment/records/ask-again';
import { isRefundOpen } from '@/lib/payment/records/decide-refund';
import { findPayment } from '@/lib/payment/records/find-payment';
import { lockPayment } from '@/lib/payment/records/lock-payment';
import { syncSettings } from '@/lib/sale/admin/sync-settings';
import { findLastTaken } from '@/lib/sale/records/find-last-taken';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { releaseDeadLetters } from '@/lib/settlement/release-dead-letters';
import { settleReleased } from '@/lib/settlement/settle-released';
import { stockOfBuyer } from '@/lib/slice/loadings';
import { retakeUnits } from '@/lib/slice/retake-units';
import { readBuyer } from '@/lib/stock/read-buyer';
import { takeBackStock } from '@/lib/stock/take-back-stock';
import { compareSaleBooks } from '@/lib/verify/compare-sale-books';
import { findOrders } from '@/lib/verify/read-orders';
import type { SaleAccount } from '@/lib/verify/types';

type Sale = Pick<SaleAccount, 'saleId' | 'epoch' | 'slices' | 'sliceEpochs' | 'onStockOutage'>;

/**
 * Repairs one difference with the function that would have prevented it. Each such function checks the state itself
 * and does nothing if it no longer fits, so it is harmless if the difference has gone in the meantime. The next look
 * shows whether the repair worked.
 * @throws connection errors, StockCorruptError.
 */
export async function repairDifference(sale: Sale, difference: Difference): Promise<void> {
  const { saleId } = sale;
  const [orderNo, userId] = [difference.orderNo ?? '', difference.userId ?? ''];
  switch (difference.repair) {
    case 'load':
      return load(sale, difference);
    case 'release':
      await settleReleased([{ saleId, orderNo, userId }]);
      await releaseDeadLetters([orderNo]);
      return;
    case 'confirm':
      await confirmPaid([{ saleId, orderNo }]);
      return;
    case 'resend':
      return resend(sale, orderNo, userId);
    case 'retake':
      return retake(saleId, orderNo, userId);
    case 'take_back':
      return takeBack(saleId, orderNo, userId);
    case 'configure':
      await syncSettings(saleId);
      await forgetSaleInfo(saleId);
      return;
    case 'ask':
      return ask(saleId);
    case null:
      return;
  }
}

async function load({ saleId, epoch, slices, onStockOutage }: Sale, { kind }: Difference): Promise<void> {
  if (kind === 'not_loaded') await ensureStockLoaded(saleId);
  // Goes through Postgres, as after an outage: accepted purchases are written before anything is loaded.
  else if (onStockOutage === 'database') {
    if (await leaveRedis(saleId, epoch)) await returnToRedis(saleId);
  } else if (slices > 1) {
    // All at once: what one has too many of, another may lack.
    const every = Array.from({ length: slices }, (_, slice) => slice);
    if ((await rebuildSlices(saleId, every, true)).status === 'loaded') await forgetSaleInfo(saleId);
  } else if ((await rebuildStock(saleId, epoch)).status === 'loaded') await forgetSaleInfo(saleId);
}

/**
 * Puts the purchase's message into the outbox again: the shopper got a 202. If the first message is still on its way,
 * this changes nothing.
 */
async function resend(sale: Sale, orderNo: string, userId: string): Promise<void> {
  const { saleId } = sale;
  const { stockId, epoch } = stockOfBuyer(sale, userId);
  const purchase = (await readBuyer(saleId, userId)).find((record) => record.orderNo === orderNo);
  if (purchase?.state !== 'held') return;
  await putAccepted(saleId, acceptedOf({ ...purchase, userId, epoch }));
  await openSale(stockId);
}

/** Makes Redis take the units of a live order out of those for sale, if they are not sold yet. */
async function retake(saleId: string, orderNo: string, userId: string): Promise<void> {
  const order = (await findOrders([{ orderNo, userId }])).get(orderNo);
  if (order?.status !== 'pending_payment' && order?.status !== 'paid') return;
  const takenAt = await findLastTaken(saleId);
  const { jti, units, variant } = order;
  await retakeUnits({ saleId, userId, orderNo, jti, units, variant, as: 'held', takenAt });
  if (order.status === 'paid') await confirmPaid([{ saleId, orderNo }]);
}

/**
 * Has the provider asked again about every payment it has booked differently; the code that gets the answer deals
 * with it.
 */
async function ask(saleId: string): Promise<void> {
  const { misbooked } = await compareSaleBooks(saleId, 0);
  await askAgain(
    db(),
    misbooked.map(({ paymentId }) => paymentId),
  );
}

/**
 * Makes Redis give back the units that an ended order holds as sold, unless late money is just about to keep them. A
 * settled refund has returned its units or written them off before: these were taken again from those for sale.
 */
async function takeBack(saleId: string, orderNo: string, userId: string): Promise<void> {
  const paymentId = `pay_${orderNo}`;
  const payment = await findPayment(paymentId);
  await transaction(async (tx) => {
    // Late money is kept under this lock. So nobody keeps it between the look at the order and the command to Redis.
    if (payment) await lockPayment(tx, payment.provider, paymentId);
    if (await isRefundOpen(tx, paymentId)) return;
    const select = { status: true, stockSettledAt: true };
    const order = await tx.order.findUnique({ where: { shard_id: orderKey(orderNo) }, select });
    const hasEnded = order?.status === 'cancelled' || order?.status === 'failed';
    if (hasEnded || (order?.status === 'refunded' && order.stockSettledAt))
      await takeBackStock({ saleId, orderNo, userId }, true);
  });
}
