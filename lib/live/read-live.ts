import 'server-only';
import { type Actor, maySee } from '@/lib/actor/actor';
import type { Live, Situation } from '@/lib/contract/shapes/live';
import { db } from '@/lib/db/client';
import { SALE_PARTS } from '@/lib/sale/records/to-sale-info';
import { liveFeed } from './live-feed';
import { readSituation, type SaleRow } from './read-situation';

type LiveResult = { status: 'found'; live: Live } | { status: 'not_found' | 'unavailable' };

/**
 * Reads the admin area's view of one sale. State and stock are of this instant; the rest is of this second and shared
 * by all readers.
 * @param since epoch ms: also returns the points drawn after that, at most 15 minutes of them; null: none.
 * @returns `not_found` also for another merchant's sale. @throws connection errors
 */
export async function readLive(actor: Actor, saleId: string, since: number | null): Promise<LiveResult> {
  const row = await findOwn(actor, saleId);
  if (!row) return { status: 'not_found' };
  const feed = liveFeed(saleId);
  const [figures, situation] = await Promise.all([feed?.read(), readSituation(row)]);
  if (!feed || !figures) return { status: 'unavailable' };
  const live = { ...figures, ...situation };
  return { status: 'found', live: since === null ? live : { ...live, points: feed.pointsSince(since) } };
}

/**
 * Reads the state and stock of one sale alone, which is what its actions need.
 * @returns null also for another merchant's sale. @throws connection errors
 */
export async function readOwnSituation(actor: Actor, saleId: string): Promise<Situation | null> {
  const row = await findOwn(actor, saleId);
  return row && readSituation(row);
}

async function findOwn(actor: Actor, saleId: string): Promise<SaleRow | null> {
  const row = await db().sale.findUnique({ where: { id: saleId }, include: SALE_PARTS });
  return row && (await maySee(actor, row.merchantId)) ? row : null;
}
