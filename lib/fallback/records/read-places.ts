import 'server-only';
import { db } from '@/lib/db/client';
import type { StockPlace } from './types';

/** Reads where these sales are sold right now. Leaves out unknown ones. @throws connection errors. */
export function readPlaces(saleIds: readonly string[]): Promise<StockPlace[]> {
  return db().$queryRaw<StockPlace[]>`
    SELECT id AS "saleId", stock_mode AS mode, epoch, total_stock AS total FROM sales
    WHERE id = ANY (${[...saleIds]}::text[])`;
}

/** Tells whether Redis does not sell this sale right now. If so, no change to it need reach Redis. */
export async function isAwayFromRedis(saleId: string): Promise<boolean> {
  const [place] = await readPlaces([saleId]);
  return place !== undefined && place.mode !== 'redis';
}
