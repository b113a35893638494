import 'server-only';
import { db } from '@/lib/db/client';
import { unlessOutage } from '@/lib/errors/unless-outage';
import { readOpenSales, retireSale } from '@/lib/outbox/open-sales';
import { readOutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { readUndecided } from '@/lib/stock/read-asked';

/**
 * Removes sales that were closed, or ended by themselves a day ago, from the relays' list when their outbox is empty, nobody waits in
 * their queue, and all their orders have been paid or ended, and are settled. Redis accepts no purchase of such a sale, so its outbox
 * stays empty.
 * @returns the sales, and slices of split sales, retired.
 */
export async function retireEndedSales(): Promise<string[]> {
  const openSales = await readOpenSales();
  if (openSales.length === 0) return [];
  const saleIds = [...new Set(openSales.map(saleOf))];
  const done = await db().$queryRaw<{ id: string }[]>`
    SELECT s.id FROM sales s
    WHERE s.id = ANY (${saleIds}::text[]) AND (s.status = 'closed' OR s.ends_at < now() - interval '1 day') AND NOT EXISTS (
      SELECT FROM orders o WHERE o.sale_id = s.id
        AND (o.status = 'pending_payment' OR (o.stock_settled_at IS NULL AND o.status IN ('paid', 'cancelled', 'failed', 'refunded'))))`;
  const retired: string[] = [];
  const isDone = new Set(done.map(({ id }) => id));
  for (const id of openSales) {
    if (!isDone.has(saleOf(id))) continue;
    const outbox = await unlessOutage(readOutboxDepth(id), null);
    if (!outbox || outbox.depth > 0) continue;
    const undecided = await unlessOutage(readUndecided(id), null);
    if (!undecided || undecided.count > 0) continue;
    await retireSale(id);
    retired.push(id);
  }
  return retired;
}
