import 'server-only';
import { log } from '@/lib/http/log';
import { expireOrders } from '@/lib/order/expire-orders';
import { findDue } from '@/lib/order/find-due';
import { askBeforeRelease } from '../payment/ask-provider';
import { settleReleased } from './settle-released';

/** The most orders in one statement. */
const BATCH = 500;
/**
 * How many orders one look finds. It reads all of the sale's unpaid orders, 50 ms for 100,000: a look for each batch
 * took a fifth of the time.
 */
const FOUND_AT_ONCE = 5_000;
/** The most looks of one call: at 200 orders a second it still ends before the executor gives up on it. */
const LOOKS = 4;

/**
 * Cancels the orders of a sale that are due by now and unpaid, up to 20,000 of them; see `releaseUnpaid`.
 * @returns how many, and whether there may be more.
 */
export async function releaseDue(
  saleId: string,
  { foundAtOnce = FOUND_AT_ONCE, looks = LOOKS } = {},
): Promise<{ cancelled: number; hasMore: boolean }> {
  let cancelled = 0;
  for (let look = 0; look < looks; look += 1) {
    const before = cancelled;
    const due = await findDue(saleId, foundAtOnce);
    for (let at = 0; at < due.length; at += BATCH) {
      const orderNos = due.slice(at, at + BATCH);
      cancelled += (await releaseUnpaid({ saleId, orderNos })).length;
    }
    // Orders whose money may be on its way stay. If there is nothing else, the sweep comes back to them.
    if (due.length < foundAtOnce || cancelled === before) return { cancelled, hasMore: false };
  }
  return { cancelled, hasMore: true };
}

/**
 * Cancels those of a sale's orders that were not paid in time, and gives their units back: in Postgres, then in
 * Redis. If a shopper went to pay, asks the provider first. Leaves paid orders and those not due yet alone.
 * Idempotent.
 * @returns the orders that this call cancelled.
 */
export async function releaseUnpaid(batch: {
  saleId: string;
  orderNos: readonly string[];
}): Promise<string[]> {
  const { saleId, orderNos } = batch;
  await askBeforeRelease(orderNos);
  const expired = await expireOrders(saleId, orderNos);
  await settleReleased(expired);
  const cancelled = expired.map(({ orderNo }) => orderNo);
  if (cancelled.length > 0) log.info({ saleId, orderNos: cancelled }, 'unpaid orders released');
  return cancelled;
}
