import 'server-only';

/** Somebody who is to wait for a unit: the entry token's id and the order number of the purchase that it may become. */
export type Enlisted = { userId: string; jti: string; orderNo: string };

/**
 * Puts people into a sale's waitlist in the given order, behind those who wait already, and then gives the units that are
 * free to the first of them. Each gets one unit, as a purchase of their own with its own time to pay. For a draw, in which
 * nobody joins by themselves. Works before the start too: nothing is given until the sale runs, and meanwhile nobody else
 * can buy.
 *
 * Repeatable: who waits already, or has got the unit of that order number, is passed by. So a call that failed halfway is
 * simply made again with the same people.
 * @param people any number, in the order in which they are to be served; each user once. `orderNo` issued by `issueOrderNo`.
 * @returns how many have a place or a unit now, and how many units this call gave.
 * @throws TypeError on impossible ids, StockNotLoadedError if Redis doesn't hold the sale or holds it without a waitlist,
 *   connection errors.
 */
export async function enlist(
  saleId: string,
  people: readonly Enlisted[],
): Promise<{ enlisted: number; given: number }> {
  throw new Error(`not written yet: ${saleId}, ${people.length} people`);
}
