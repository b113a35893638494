import 'server-only';
import { db } from '@/lib/db/client';
import type { Allocation } from './allocation';

/**
 * Grants a process so many units in all, if the sale is still sold through Redis under this loading. Because of the
 * share lock, a process that ends that mode waits for this transaction, so the count of the margin misses no
 * allocation. Calling it again changes the same allocation.
 * @returns whether it was granted. @throws connection errors; the outcome is then unknown, ask again.
 */
export async function saveAllocation(
  saleId: string,
  { id, epoch }: Allocation,
  granted: number,
): Promise<boolean> {
  const rows = await db().$executeRaw`
    INSERT INTO stock_grants (sale_id, epoch, grant_id, granted)
    SELECT id, epoch, ${id}, ${granted}::int FROM sales
    WHERE id = ${saleId} AND epoch = ${epoch} AND stock_mode = 'redis' AND on_stock_outage = 'database'
    FOR SHARE
    ON CONFLICT (sale_id, epoch, grant_id) DO UPDATE SET granted = greatest(stock_grants.granted, excluded.granted)
      WHERE stock_grants.accepted IS NULL`;
  return rows === 1;
}

/**
 * Notes that a process accepts no more, and how many units it has accepted at most. Called again with a smaller
 * number when an outcome becomes known. @throws connection errors.
 */
export async function saveAccepted(
  saleId: string,
  { id, epoch }: Allocation,
  accepted: number,
): Promise<void> {
  await db().$executeRaw`
    UPDATE stock_grants SET accepted = least(accepted, ${accepted}::int)
    WHERE sale_id = ${saleId} AND epoch = ${epoch} AND grant_id = ${id}`;
}
