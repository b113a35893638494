import { STRATEGIES } from '@/lib/contract/words/sale';
import { processWide } from '@/lib/process-wide';
import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { Allocation } from '@/lib/fallback/records/allocation';
import { readPlaces } from '@/lib/fallback/records/read-places';
import type { StockPlace } from '@/lib/fallback/records/types';
import { log } from '@/lib/http/log';
import {
  endAllocation,
  isOwing,
  type ProcessAllocations,
  settleAllocations,
  takeGrant,
} from './process-allocations';

/** Bounds how late a process may learn that a sale has gone over to Postgres or back. */
const POLL_MS = 250;
/** The process stops looking at a sale after this long without a request for it. */
const FORGET_MS = 60_000;
type Followed = ProcessAllocations & { askedAt: number };

type Memory = {
  sales: Map<string, Followed>;
  reading: Map<string, Promise<Followed | null>>;
  timer?: NodeJS.Timeout;
};

const memory = processWide('places', (): Memory => ({ sales: new Map(), reading: new Map() }));

/**
 * Returns which store sells a sale that can go over to Postgres. The answer is at most 250 ms old; while Postgres
 * can't be reached, it is the last known one. After the first call this process follows the sale until a minute has
 * passed without a call.
 * @returns null if there is no such sale. @throws connection errors of the first look.
 */
export async function placeOf(saleId: string): Promise<StockPlace | null> {
  return (await follow(saleId))?.place ?? null;
}

/**
 * Tells whether Postgres holds what is left of a sale, always or just now. It is as late as `placeOf`: for callers
 * that only look.
 */
export async function isSoldByDatabase({
  saleId,
  strategy,
  onStockOutage,
}: Pick<SaleInfo, 'saleId' | 'strategy' | 'onStockOutage'>): Promise<boolean> {
  if (onStockOutage !== 'database') return STRATEGIES[strategy].stock === 'postgres';
  const place = await placeOf(saleId);
  return place !== null && place.mode !== 'redis';
}

/**
 * Takes units that this process may accept through Redis under `epoch`. Waits up to a second until they are granted.
 * @returns null if there were none, or if the sale is not sold through Redis any more; otherwise `endPurchase` must
 *   follow
 */
export async function takeFromAllocation(
  saleId: string,
  epoch: number,
  units: number,
): Promise<Allocation | null> {
  const followed = await follow(saleId);
  if (followed?.place.mode !== 'redis' || followed.place.epoch !== epoch) return null;
  return takeGrant(followed, units);
}

/** Tells whether this process has answered 202 to purchases that Postgres, which sells now, does not know yet. */
export function owesOrders(saleId: string): boolean {
  const followed = memory.sales.get(saleId);
  return followed !== undefined && isOwing(followed);
}

/** Looks at once, for a caller whose answer did not fit what this process knew. */
export async function rereadAndSettle(saleId: string): Promise<void> {
  await look([saleId]);
  const followed = memory.sales.get(saleId);
  if (followed) await settleAllocations(followed);
}

/** Accepts no more, and tells Postgres how many units this process has accepted. For the end of the process. */
export async function closeAllocations(): Promise<void> {
  for (const followed of memory.sales.values()) {
    endAllocation(followed);
    await settleAllocations(followed);
  }
}

async function follow(saleId: string): Promise<Followed | null> {
  const { sales, reading } = memory;
  const known = sales.get(saleId);
  if (known) {
    known.askedAt = performance.now();
    return known;
  }
  let first = reading.get(saleId);
  if (!first) {
    first = begin(saleId).finally(() => reading.delete(saleId));
    reading.set(saleId, first);
  }
  return first;
}

async function begin(saleId: string): Promise<Followed | null> {
  const [place] = await readPlaces([saleId]);
  if (!place) return null;
  const followed = {
    place,
    askedAt: performance.now(),
    allocation: null,
    isRaising: false,
    handingOver: 0,
    ended: new Map(),
  };
  memory.sales.set(saleId, followed);
  tickLater();
  return followed;
}

function tickLater(): void {
  memory.timer ??= setTimeout(tick, POLL_MS).unref();
}

async function tick(): Promise<void> {
  const now = performance.now();
  for (const [saleId, followed] of memory.sales) {
    if (now - followed.askedAt < FORGET_MS || isOwing(followed)) continue;
    endAllocation(followed);
    if (followed.ended.size === 0) memory.sales.delete(saleId);
  }
  await look([...memory.sales.keys()]);
  memory.timer = undefined;
  if (memory.sales.size > 0) tickLater();
  // Handing over many purchases takes time, and the next look must not wait for it.
  for (const followed of memory.sales.values()) void settleAllocations(followed);
}

async function look(saleIds: readonly string[]): Promise<void> {
  const places = await readPlaces(saleIds).catch((err) => {
    log.warn({ err }, 'where the stock is could not be read');
    return [];
  });
  for (const place of places) {
    const followed = memory.sales.get(place.saleId);
    // One look may overtake another. Epochs only rise, so a lower one is out of date.
    if (!followed || place.epoch < followed.place.epoch) continue;
    followed.place = place;
    if (place.mode !== 'redis' || place.epoch !== followed.allocation?.epoch) endAllocation(followed);
  }
}
