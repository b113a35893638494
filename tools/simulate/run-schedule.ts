import { keys } from '@/lib/redis/keys';
import { runDisasters } from './actors/disasters';
import { startProcesses } from './actors/processes';
import { runShop, shop } from './actors/shopper';
import type { Bug } from './bugs';
import type { Bundle } from './bundle/load-bundle';
import { checkBooks } from './check/check-books';
import type { FaultProfile } from './fault-profile';
import { GATE, SALE_ID, World } from './world';

/** Everything must come to rest within this virtual time after the last fault. */
const REST_MS = 12 * 60_000;
/** Delayed messages arrive within this virtual time. */
const DELAYED_MS = 20_000;
const LOOK_EVERY_MS = 2_000;
const DAY_MS = 86_400_000;
/** A user without an account: this user's orders can't be written. */
const STRANGER = 'stranger';

export type ScheduleReport = {
  seed: number;
  profile: FaultProfile;
  violations: readonly string[];
  injected: Readonly<Record<string, number>>;
  answers: Readonly<Record<string, number>>;
  /** Number of orders by final status. */
  orders: Readonly<Record<string, number>>;
  /** A log of the schedule, line by line, if the caller asked for it. */
  trail: readonly string[];
};

/**
 * Runs one schedule: a small sale with all the faults that its seed chooses. Then waits until everything is at rest,
 * and compares the books. The same seed gives the same schedule, to the last line of the trail.
 */
export async function runSchedule(
  bundle: Bundle,
  seed: number,
  { isTold = false, bug }: { isTold?: boolean; bug?: Bug } = {},
): Promise<ScheduleReport> {
  const world = new World(seed, { isTold });
  bug?.spoil?.(world);
  await openSale(world);
  startProcesses(world, bundle);
  const isStranger = world.profile.redisLosses === 0 && world.random.chance(0.1);
  const users = [...world.postgres.users, ...(isStranger ? [STRANGER] : [])];
  let open = users.length + 1;
  const close = () => {
    open -= 1;
  };
  for (const userId of users) shop(world, userId).then(close, world.fail);
  runShop(world).then(close, world.fail);
  runDisasters(world).catch(world.fail);
  const until = world.wellFrom + REST_MS;
  await world.time.run(() => world.time.now > until || (open === 0 && isAtRest(world)));
  for (const problem of checkBooks(world)) world.violate(problem);
  const orders: Record<string, number> = {};
  for (const { status } of world.postgres.orders.find(null, () => true))
    orders[status] = (orders[status] ?? 0) + 1;
  const { violations, injected, trail = [], profile } = world;
  return { seed, profile, violations, injected, answers: world.ledger.answers, orders, trail };
}

async function openSale(world: World): Promise<void> {
  const { postgres, profile, time } = world;
  for (let nth = 1; nth <= profile.shoppers; nth += 1) postgres.users.add(`user${nth}`);
  postgres.sales.cell(SALE_ID).committed = {
    id: SALE_ID,
    status: 'published',
    strategy: 'script',
    epoch: 1,
    slices: 1,
    sliceEpochs: [],
    paused: false,
    gate: GATE,
    onStockOutage: 'closed' as const,
    stockMode: 'redis' as const,
    limits: null,
    reservationOpensAt: null,
    totalStock: profile.stock,
    heldStock: 0,
    soldStock: 0,
    limitPerUser: profile.limit,
    priceMinor: 1_000,
    currency: 'CNY',
    paymentWindowSec: profile.paymentWindowSec,
    startsAt: new Date(time.now - 1_000),
    endsAt: new Date(time.now + DAY_MS),
  };
}

/**
 * Tells whether everything that began has ended: no actor acts, no message is on its way, and the books agree. While
 * they don't agree, the repairing jobs get more time.
 */
function isAtRest(world: World): boolean {
  const { now } = world.time;
  if (now < world.wellFrom + DELAYED_MS || now < world.lookedAt + LOOK_EVERY_MS) return false;
  world.lookedAt = now;
  const { redis, executor, stock } = world;
  const isStill =
    redis.xlen(keys.outbox(SALE_ID)) === 0 && executor.isIdle() && executor.openBatches().length === 0;
  return isStill && stock.probe(SALE_ID).status === 'loaded' && checkBooks(world).length === 0;
}
