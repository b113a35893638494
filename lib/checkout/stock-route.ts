import 'server-only';
import {
  closeGrant,
  createGrant,
  type Grant,
  raiseGrant,
  takeGranted,
  wantedGrant,
} from '@/lib/fallback/grant';
import { readRoutes } from '@/lib/fallback/read-routes';
import { saveAccepted, saveGrant } from '@/lib/fallback/save-grant';
import type { Route } from '@/lib/fallback/types';
import { log } from '@/lib/http/log';
import type { SaleInfo } from '@/lib/sale/types';
import { hasOlder, rememberAccepted, takeOlder } from './accepted-memory';
import { handOver } from './hand-over';
import { reofferAccepted } from './reoffer-accepted';

/** How late a process may learn that a sale has gone over to Postgres or back. */
const POLL_MS = 250;
/** A sale nobody has asked for is not looked at any more. */
const FORGET_MS = 60_000;
/** How long a purchase waits for units to be granted: a round trip to Postgres, a few when it is busy. */
const GRANT_WAIT_MS = 1_000;

type Followed = {
  route: Route;
  askedAt: number;
  /** What this process may accept now. */
  grant: Grant | null;
  isRaising: boolean;
  /** How often at this moment remembered purchases are being handed over. */
  handingOver: number;
  /** Grants that are over, with the number Postgres has been told; null = none yet. */
  ended: Map<Grant, number | null>;
};

type Memory = {
  sales: Map<string, Followed>;
  reading: Map<string, Promise<Followed | null>>;
  timer?: NodeJS.Timeout;
};

// The web process may hold this module twice (fast lane and Next's bundle); a grant belongs to the process.
const holder = globalThis as typeof globalThis & { seckillRoutes?: Memory };

function memory(): Memory {
  holder.seckillRoutes ??= { sales: new Map(), reading: new Map() };
  return holder.seckillRoutes;
}

/**
 * Where a sale that can go over to Postgres is sold, as of at most 250 ms ago; while Postgres can't be reached, as last
 * known. From the first question on this process follows the sale until nobody has asked for a minute.
 * @returns null if there is no such sale. @throws connection errors of the first look.
 */
export async function routeOf(saleId: string): Promise<Route | null> {
  return (await follow(saleId))?.route ?? null;
}

/** Whether what is left of a sale is in Postgres, always or just now. As late as `routeOf`, for those who only look. */
export async function isSoldByDatabase({
  saleId,
  strategy,
  onStockOutage,
}: Pick<SaleInfo, 'saleId' | 'strategy' | 'onStockOutage'>): Promise<boolean> {
  if (onStockOutage !== 'database') return strategy === 'database';
  const route = await routeOf(saleId);
  return route !== null && route.mode !== 'redis';
}

/**
 * Takes units that this process may accept through Redis under `epoch`; waits up to a second for them to be granted.
 * @returns null if there were none, or the sale is not sold through Redis any more; else `endPurchase` must follow.
 */
export async function takeFromGrant(saleId: string, epoch: number, units: number): Promise<Grant | null> {
  const followed = await follow(saleId);
  if (followed?.route.mode !== 'redis' || followed.route.epoch !== epoch) return null;
  followed.grant ??= createGrant(epoch);
  const { grant } = followed;
  const taking = takeGranted(grant, units, GRANT_WAIT_MS);
  raise(followed);
  return (await taking) ? grant : null;
}

/** Whether this process has answered 202 to purchases that Postgres, which sells now, does not know yet. */
export function owesOrders(saleId: string): boolean {
  const followed = holder.seckillRoutes?.sales.get(saleId);
  return followed !== undefined && (followed.handingOver > 0 || hasOlder(saleId, followed.route.epoch));
}

/** Looks at once: an answer did not fit what was known. */
export async function lookAgain(saleId: string): Promise<void> {
  await look([saleId]);
  const followed = memory().sales.get(saleId);
  if (followed) await settle(followed);
}

/** Says how many units this process has accepted, and accepts no more; for its end. */
export async function closeGrants(): Promise<void> {
  for (const followed of holder.seckillRoutes?.sales.values() ?? []) {
    endGrant(followed);
    await settle(followed);
  }
}

async function follow(saleId: string): Promise<Followed | null> {
  const { sales, reading } = memory();
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
  const [route] = await readRoutes([saleId]);
  if (!route) return null;
  const followed = {
    route,
    askedAt: performance.now(),
    grant: null,
    isRaising: false,
    handingOver: 0,
    ended: new Map(),
  };
  memory().sales.set(saleId, followed);
  tickLater();
  return followed;
}

/** One look after the other, so that none is overtaken by an older one. */
function tickLater(): void {
  const held = memory();
  held.timer ??= setTimeout(tick, POLL_MS).unref();
}

async function tick(): Promise<void> {
  const held = memory();
  const now = performance.now();
  for (const [saleId, followed] of held.sales) {
    if (now - followed.askedAt < FORGET_MS || owesOrders(saleId)) continue;
    endGrant(followed);
    if (followed.ended.size === 0) held.sales.delete(saleId);
  }
  await look([...held.sales.keys()]);
  held.timer = undefined;
  if (held.sales.size > 0) tickLater();
  // Handing over many takes its time: the next look must not wait for it.
  for (const followed of held.sales.values()) void settle(followed);
}

async function look(saleIds: readonly string[]): Promise<void> {
  const routes = await readRoutes(saleIds).catch((err) => {
    log.warn({ err }, 'where the stock is could not be read');
    return [];
  });
  for (const route of routes) {
    const followed = memory().sales.get(route.saleId);
    // Two looks may cross: epochs only rise.
    if (!followed || route.epoch < followed.route.epoch) continue;
    followed.route = route;
    if (route.mode !== 'redis' || route.epoch !== followed.grant?.epoch) endGrant(followed);
  }
}

function endGrant(followed: Followed): void {
  if (!followed.grant) return;
  closeGrant(followed.grant);
  followed.ended.set(followed.grant, null);
  followed.grant = null;
}

/** Hands over what this process has accepted under a loading that is over, then says how many units that were. */
async function settle(followed: Followed): Promise<void> {
  const { route, ended } = followed;
  const { saleId, mode, epoch } = route;
  try {
    if (mode !== 'redis') await handOverRemembered(followed);
    // It was sold elsewhere and is back, and this process has slept through it.
    else await reofferAccepted(saleId, epoch);
    for (const [grant, told] of ended) {
      const { taken } = grant;
      if (taken !== told) await saveAccepted(saleId, grant, taken);
      if (grant.underWay === 0) ended.delete(grant);
      else ended.set(grant, taken);
    }
  } catch (err) {
    log.warn({ saleId, err }, 'accepted purchases could not be handed over yet');
  }
}

async function handOverRemembered(followed: Followed): Promise<void> {
  const { saleId, epoch } = followed.route;
  const orders = takeOlder(saleId, epoch);
  if (orders.length === 0) return;
  followed.handingOver += 1;
  try {
    await handOver(saleId, orders);
  } catch (error) {
    rememberAccepted(saleId, 0, orders);
    throw error;
  } finally {
    followed.handingOver -= 1;
  }
}

function raise(followed: Followed): void {
  const { grant, route } = followed;
  if (!grant || followed.isRaising) return;
  const wanted = wantedGrant(grant, route.total);
  if (wanted === null) return;
  followed.isRaising = true;
  const { saleId } = route;
  void saveGrant(saleId, grant, wanted)
    .then((isGranted) => {
      if (isGranted) raiseGrant(grant, wanted);
      else void lookAgain(saleId);
      return isGranted;
    })
    .catch((err) => {
      log.warn({ saleId, err }, 'no units could be granted');
      return false;
    })
    .then((isGranted) => {
      followed.isRaising = false;
      // Others may have come to wait meanwhile.
      if (isGranted) raise(followed);
    });
}
