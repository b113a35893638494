import 'server-only';
import { STRATEGIES } from '@/lib/contract/words/sale';
import { unlessOutage } from '@/lib/errors/unless-outage';
import { decodeOrderNo } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
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
 * Finds a user's purchase that is undecided or was refused in a sale of the queue strategy. To learn that it was accepted,
 * read the buyers after this. @throws connection errors
 */
export async function findAsked(
  { userId, saleId }: OrderReader,
  orderNo: string,
): Promise<{ saleId: string; asked: QueuedPurchase } | null> {
  for (const id of saleId === undefined ? await searchedSales(orderNo) : [saleId]) {
    const info = await unlessOutage(findSaleInfo(id), null);
    if (!info || !STRATEGIES[info.strategy].isQueued) continue;
    const asked = await readAsked(id, userId, orderNo);
    if (asked) return { saleId: id, asked };
  }
  return null;
}

/**
 * Returns the sales in which a purchase is looked for whose sale is not known: of those whose outboxes are read 100 at most, first
 * those that were open when its number was issued. A sale stays among them until it is closed. @throws connection errors of Redis
 */
export async function searchedSales(orderNo: string): Promise<string[]> {
  const all = [...new Set((await readOpenSales()).map(saleOf))];
  if (all.length <= MAX_SALES_SEARCHED) return all;
  const { atMs } = decodeOrderNo(BigInt(orderNo));
  const span = { from: atMs - CLOCK_ERROR_MS, to: atMs + CLOCK_ERROR_MS };
  const wereOpen = new Set((await unlessOutage(listSalesOpenAt(span), [])).map(({ id }) => id));
  const [first, others] = [all.filter((id) => wereOpen.has(id)), all.filter((id) => !wereOpen.has(id))];
  return [...first, ...others].slice(0, MAX_SALES_SEARCHED);
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
