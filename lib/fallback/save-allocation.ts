import 'server-only';
import { db } from '@/lib/db/client';
import type { Allocation } from './allocation';

/**
 * Allocations a process so many units in all, if the sale is still sold through Redis under this loading. The share lock makes
 * whoever ends that wait for this: no allocation is missed when the margin is counted. Asked again, it is the same allocation.
 * @returns whether it was granted. @throws connection errors; the outcome is open then, ask again.
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
 * Notes that a process accepts no more, and how many it has accepted at most. Said again with a smaller number when an
 * outcome became known. @throws connection errors.
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
