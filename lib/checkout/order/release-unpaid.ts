import 'server-only';
import { log } from '@/lib/http/log';
import { expireOrders } from '@/lib/order/expire-orders';
import { findDue } from '@/lib/order/find-due';
import { askBeforeRelease } from '../payment/ask-provider';
import { settleReleased } from './settle-released';

/** The most orders in one statement, and the most statements of one call. The sweep goes on after that. */
const BATCH = 500;
const ROUNDS = 100;

/** Cancels all orders of a sale that are due by now and unpaid; see `releaseUnpaid`. @returns how many. */
export async function releaseDue(saleId: string): Promise<number> {
  let cancelled = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const orderNos = await findDue(saleId, BATCH);
    if (orderNos.length > 0) cancelled += (await releaseUnpaid({ saleId, orderNos })).length;
    if (orderNos.length < BATCH) break;
  }
  return cancelled;
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
