import 'server-only';
import { db } from '@/lib/db/client';
import type { Route } from './types';

/** Where these sales are sold right now. Unknown ones are left out. @throws connection errors. */
export function readRoutes(saleIds: readonly string[]): Promise<Route[]> {
  return db().$queryRaw<Route[]>`
    SELECT id AS "saleId", stock_mode AS mode, epoch, total_stock AS total FROM sales
    WHERE id = ANY (${[...saleIds]}::text[])`;
}

/** Whether Redis does not sell this sale right now: then nothing that happens to it need reach Redis. */
export async function isAwayFromRedis(saleId: string): Promise<boolean> {
  const [route] = await readRoutes([saleId]);
  return route !== undefined && route.mode !== 'redis';
}
