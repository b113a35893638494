import 'server-only';
import { isDataError } from '@/lib/db/sql-state';
import { log } from '@/lib/http/log';
import { saleIdsOf } from '@/lib/ids/sale-ids-of';
import { expireOrders } from '@/lib/order/records/expire-orders';
import { findDue } from '@/lib/order/records/find-due';
import { settleReleased } from '@/lib/settlement/settle-released';
import { askBeforeRelease } from './ask-provider';

/** The most orders in one statement. */
const BATCH = 500;
/**
 * How many orders one look finds. It reads all of the sales' unpaid orders, 50 ms for 100,000: a look for each batch
 * took a fifth of the time.
 */
const FOUND_AT_ONCE = 5_000;
/** The most looks of one call: at 200 orders a second it still ends before the executor gives up on it. */
const LOOKS = 4;

/**
 * Cancels the orders of these sales that are due by now and unpaid, up to 20,000 of them; see `releaseUnpaid`.
 * @returns how many, and whether there may be more.
 * @throws the first failure, after all others have had their turn.
 */
export async function releaseDue(
  saleIds: readonly string[],
  { foundAtOnce = FOUND_AT_ONCE, looks = LOOKS } = {},
): Promise<{ cancelled: number; hasMore: boolean }> {
  let cancelled = 0;
  for (let look = 0; look < looks; look += 1) {
    const before = cancelled;
    const due = await findDue(saleIds, foundAtOnce);
    const batches = Array.from({ length: Math.ceil(due.length / BATCH) }, (_, nth) =>
      due.slice(nth * BATCH, (nth + 1) * BATCH),
    );
    cancelled += (await releaseParts(batches)).length;
    // Orders whose money may be on its way stay. If there is nothing else, the sweep comes back to them.
    if (due.length < foundAtOnce || cancelled === before) return { cancelled, hasMore: false };
  }
  return { cancelled, hasMore: true };
}

/**
 * Cancels those of the orders that were not paid in time, and gives their units back: in Postgres, then in Redis. If
 * a shopper went to pay, asks the provider first. Leaves paid orders and those not due yet alone. If a sale's counters
 * refuse it, halves the orders until the others are released. Idempotent.
 * @param orderNos of whatever sales
 * @returns the orders that this call cancelled.
 * @throws the first failure, after all others have had their turn.
 */
export async function releaseUnpaid(orderNos: readonly string[]): Promise<string[]> {
  await askBeforeRelease(orderNos);
  const expired = await expireOrders(orderNos).catch((error: unknown) => {
    if (isDataError(error) && orderNos.length > 1) return null;
    throw error;
  });
  if (expired === null) {
    const middle = Math.ceil(orderNos.length / 2);
    return releaseParts([orderNos.slice(0, middle), orderNos.slice(middle)]);
  }
  await settleReleased(expired);
  const cancelled = expired.map(({ orderNo }) => orderNo);
  if (cancelled.length > 0)
    log.info({ saleIds: saleIdsOf(expired), orderNos: cancelled }, 'unpaid orders released');
  return cancelled;
}

/** Releases one part after the other; a part that fails holds up no other. */
async function releaseParts(parts: readonly (readonly string[])[]): Promise<string[]> {
  const cancelled: string[] = [];
  const failures: unknown[] = [];
  for (const part of parts)
    await releaseUnpaid(part).then(
      (released) => cancelled.push(...released),
      (error) => failures.push(error),
    );
  if (failures.length > 0) throw failures[0];
  return cancelled;
}
