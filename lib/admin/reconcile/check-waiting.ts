import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import type { Difference } from '@/lib/contract/shapes/reconcile';
import { db } from '@/lib/db/client';
import { checkPlaces } from '../verify/check-waitlist';
import { sayAll } from '../verify/say-all';

/** Bounds the places kept. Whatever is wrong with one of them, all are loaded again. */
const MAX_PLACES = 1_000;
/** A place that is taken, left or given is in one of the two only for milliseconds. */
const REREAD_MS = 500;

/**
 * Finds who waits for a unit in Redis and not in Postgres, or the other way round: after a loss, or because a process
 * died between the two. Says nothing of a sale that is over, and counts only what half a second later is still so.
 * @throws connection errors
 */
export async function checkWaiting(saleId: string): Promise<Difference[]> {
  const isOpen = await db().sale.count({
    where: { id: saleId, waitlist: true, status: 'published', endsAt: { gt: new Date() } },
  });
  if (isOpen === 0) return [];
  const first = await look(saleId);
  if (first.size === 0) return [];
  await delay(REREAD_MS);
  const second = await look(saleId);
  return [...second].flatMap(([detail, difference]) => (first.has(detail) ? [difference] : []));
}

async function look(saleId: string): Promise<Map<string, Difference>> {
  const found = new Map<string, Difference>();
  await checkPlaces(saleId, (code, values) => {
    // Nobody can take back a unit that went to the wrong one; verify tells of it.
    if (code === 'passed_over' || found.size >= MAX_PLACES) return;
    const detail = sayAll([{ code, values }]);
    const userId = String(values.userId);
    found.set(detail, { kind: 'waiting_place', orderNo: null, userId, detail, repair: 'load' });
  });
  return found;
}
