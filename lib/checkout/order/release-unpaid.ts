import 'server-only';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { expireOrders } from '@/lib/order/expire-orders';
import { readBatch } from '@/lib/order/read-batch';
import { releaseUnits } from '@/lib/sale/committed-stock';
import { askBeforeRelease } from '../payment/ask-provider';
import { settleReleased } from './settle-released';

type ReleasedOrders = {
  /** Orders cancelled by this call. */
  cancelled: string[];
  /** Epoch ms of the latest deadline that has not come yet; null if no order is left unpaid. */
  nextDeadlineAt: number | null;
};

/**
 * Cancels the orders of a sale that were not paid in time, and gives their units back: in Postgres in one
 * transaction, then in Redis. If a shopper went to pay, asks the provider first. Leaves paid orders and those not due
 * yet alone. Idempotent.
 */
export async function releaseUnpaid(batch: {
  saleId: string;
  orderNos: readonly string[];
}): Promise<ReleasedOrders> {
  const { saleId, orderNos } = batch;
  await askBeforeRelease(orderNos);
  const expired = await transaction(async (tx) => {
    const found = await expireOrders(tx, saleId, orderNos);
    if (found.units > 0) await releaseUnits(tx, saleId, found.units);
    return found.orders;
  });
  await settleReleased(expired);
  const cancelled = expired.map(({ orderNo }) => orderNo);
  if (cancelled.length > 0) log.info({ saleId, orderNos: cancelled }, 'unpaid orders released');
  const { deadlineAt } = await readBatch(saleId, orderNos);
  return { cancelled, nextDeadlineAt: deadlineAt };
}
