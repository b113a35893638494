import 'server-only';
import { db } from '@/lib/db/client';
import type { Route } from './types';

/** Reads where these sales are sold right now. Leaves out unknown ones. @throws connection errors. */
export function readRoutes(saleIds: readonly string[]): Promise<Route[]> {
  return db().$queryRaw<Route[]>`
    SELECT id AS "saleId", stock_mode AS mode, epoch, total_stock AS total FROM sales
    WHERE id = ANY (${[...saleIds]}::text[])`;
}

/** Tells whether Redis does not sell this sale right now. If so, no change to it need reach Redis. */
export async function isAwayFromRedis(saleId: string): Promise<boolean> {
  const [route] = await readRoutes([saleId]);
  return route !== undefined && route.mode !== 'redis';
}
