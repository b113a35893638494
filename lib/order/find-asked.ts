import 'server-only';
import { STRATEGIES } from '@/lib/contract/words/sale';
import { unlessOutage } from '@/lib/errors/unless-outage';
import { decodeOrderNo } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
import { groupBy } from '@/lib/outbox/group-by';
import { readOpenSales } from '@/lib/outbox/open-sales';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { listSalesOpenAt } from '@/lib/sale/records/list-sales-open-at';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { type QueuedPurchase, readAsked } from '@/lib/stock/read-asked';
import type { OrderReader } from './find-order';

/** Bounds the search where the sale's id is unknown (no entry token): at most this many open sales. */
const MAX_SALES_SEARCHED = 100;
/** How wrong the clock may be of the process that issued an order number. */
export const CLOCK_ERROR_MS = 900_000;

/**
 * Finds a user's purchase that is undecided or was refused in one of these sales, if that is of the queue strategy. To learn that it was
 * accepted, read the buyers after this. @throws connection errors
 */
export async function findAsked(
  userId: string,
  orderNo: string,
  saleIds: Iterable<string>,
): Promise<{ saleId: string; asked: QueuedPurchase } | null> {
  for (const saleId of saleIds) {
    const info = await unlessOutage(findSaleInfo(saleId), null);
    if (!info || !STRATEGIES[info.strategy].isQueued) continue;
    const asked = await readAsked(saleId, userId, orderNo);
    if (asked) return { saleId, asked };
  }
  return null;
}

/** Sales in which a purchase is looked for, each with its stocks: one, or the slices of a split sale. */
export type Searched = Map<string, string[]>;

/**
 * Returns the sales in which a purchase is looked for whose sale is not known: of those whose outboxes are read 100 at most, first
 * those that were open when its number was issued. @throws connection errors of Redis
 */
export async function searchedSales(orderNo: string): Promise<Searched> {
  const all = groupBy(await readOpenSales(), saleOf);
  if (all.size <= MAX_SALES_SEARCHED) return all;
  const { atMs } = decodeOrderNo(BigInt(orderNo));
  const span = { from: atMs - CLOCK_ERROR_MS, to: atMs + CLOCK_ERROR_MS };
  const wereOpen = new Set((await unlessOutage(listSalesOpenAt(span), [])).map(({ id }) => id));
  const first = [...all].toSorted(
    ([one], [other]) => Number(wereOpen.has(other)) - Number(wereOpen.has(one)),
  );
  return new Map(first.slice(0, MAX_SALES_SEARCHED));
}

/**
 * Tells whether an order number that nothing knows may be that of a purchase which was undecided when Redis lost it: it is of
 * this user, and was issued while a sale of the queue strategy was open.
 */
export async function mayHaveBeenUndecided(
  { userId, saleId }: OrderReader,
  orderNo: string,
): Promise<boolean> {
  const { shard, atMs } = decodeOrderNo(BigInt(orderNo));
  if (shard !== shardOf(userId)) return false;
  const sales = await listSalesOpenAt({ from: atMs - CLOCK_ERROR_MS, to: atMs + CLOCK_ERROR_MS, saleId });
  return sales.some(({ strategy }) => STRATEGIES[strategy].isQueued);
}
