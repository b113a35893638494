import 'server-only';
import { db } from '@/lib/db/client';
import { findLeft } from '@/lib/draw/records/find-left';
import { checkId, isOrderNo } from '@/lib/stock/check-ids';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import { enlistInRedis } from '@/lib/waitlist/records/enlist-in-redis';
import { writePlaces } from '@/lib/waitlist/records/write-places';
import { serveWaitlist } from './giving/serve-waitlist';
import { leaveWaitlist } from './leave-waitlist';

/** People in one script and one statement. */
const AT_ONCE = 1_000;

/**
 * A person who is to wait for a unit: the entry token's id, the order number of the purchase that it may become, and the
 * variant that is wished; 0 or left out: the sale has none.
 */
export type Enlisted = { userId: string; jti: string; orderNo: string; variant?: number };

/**
 * Puts people into a sale's waitlist in the given order, behind those who wait already. Gives the free units to the
 * first of them, each as a purchase with its own time to pay. For a draw, also before the start: units are given once
 * the sale runs. Repeatable: skips people with a place or the unit, or who left.
 * @param people any number, in the order in which they are to be served; each user once. `orderNo` issued by `issueOrderNo`.
 * @returns how many have a place or a unit now, and how many units this call gave.
 * @throws TypeError on impossible ids, StockNotLoadedError if Redis doesn't hold the sale or holds it without a waitlist,
 *   connection errors.
 */
export async function enlist(
  saleId: string,
  people: readonly Enlisted[],
): Promise<{ enlisted: number; given: number }> {
  for (const { userId, jti, orderNo } of people) {
    checkId('userId', userId);
    checkId('jti', jti);
    if (!isOrderNo(orderNo)) throw new TypeError(`not an order number: ${orderNo.slice(0, 80)}`);
  }
  const sale = await db().sale.findUnique({ where: { id: saleId }, select: { epoch: true } });
  if (!sale) throw new StockNotLoadedError(`there is no sale ${saleId}`);
  const { epoch } = sale;
  let enlisted = 0;
  for (let at = 0; at < people.length; at += AT_ONCE) {
    const chunk = people.slice(at, at + AT_ONCE);
    const gone = await findGone(saleId, chunk);
    const meant = chunk.filter(({ orderNo }) => !gone.has(orderNo));
    if (meant.length === 0) continue;
    const wishes = meant.map((person) => ({ variant: 0, ...person }));
    const result = await enlistInRedis({ saleId, epoch }, wishes);
    if (result.status !== 'enlisted') throw new StockNotLoadedError(`${saleId}: ${result.status}`);
    const { places, settled } = result;
    const written =
      places.length > 0 ? await writePlaces(places.map((place) => ({ ...place, epoch }))) : new Set();
    // Meanwhile the sale was loaded anew, which knows none of those that were not written.
    if (written.size < places.length) throw new StockNotLoadedError(`${saleId} was loaded anew`);
    enlisted += places.length + settled;
    await leaveAgain(saleId, meant);
  }
  return { enlisted, given: await serveWaitlist({ saleId, epoch }) };
}

/** Takes away the places of those who left the draw while they were being enlisted: leaving found nothing in Postgres then. */
async function leaveAgain(saleId: string, people: readonly Enlisted[]): Promise<void> {
  for (const userId of await findLeft(saleId, people)) await leaveWaitlist(saleId, userId);
}

/** Finds those whose place by that order number has been left, or whose shopper was passed over. */
async function findGone(saleId: string, people: readonly Enlisted[]): Promise<Set<string>> {
  const rows = await db().$queryRaw<{ orderNo: string }[]>`
    SELECT order_no::text AS "orderNo" FROM waitlist_entries
    WHERE sale_id = ${saleId} AND order_no = ANY (${people.map(({ orderNo }) => orderNo)}::text[]::bigint[])
      AND (left_at IS NOT NULL OR passed_at IS NOT NULL)`;
  return new Set(rows.map(({ orderNo }) => orderNo));
}
