import { createHash } from 'node:crypto';
import type { SaleAdmission } from '@/lib/contract/words/sale';
import { keys } from '@/lib/redis/keys';
import { runDisasters } from './actors/disasters';
import { startProcesses } from './actors/processes';
import { runShop, shop } from './actors/shopper';
import type { Bug } from './bugs';
import type { Bundle } from './bundle/load-bundle';
import { checkBooks } from './check/check-books';
import type { FaultProfile } from './fault-profile';
import type { SaleKind } from './sale-kind';
import { NEW_LINE } from './stores/line-rows';
import { GATE, SALE_ID, World } from './world';

/** Everything must come to rest within this virtual time after the last fault; a line, whose turns all pass, takes longer. */
const REST_MS = 12 * 60_000;
const LINE_REST_MS = 20 * 60_000;
/** Delayed messages arrive within this virtual time. */
const DELAYED_MS = 20_000;
const LOOK_EVERY_MS = 2_000;
const DAY_MS = 86_400_000;
/** So long before the start people may join a line. */
const OPENS_BEFORE_MS = 4_000;
const ADMISSIONS: Partial<Record<SaleKind, SaleAdmission>> = { 'waiting-room': 'waiting_room', draw: 'draw' };
/** A user without an account: this user's orders can't be written. */
const STRANGER = 'stranger';

export type ScheduleReport = {
  seed: number;
  kind: SaleKind;
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
  { isTold = false, bug, kind }: { isTold?: boolean; bug?: Bug; kind?: SaleKind } = {},
): Promise<ScheduleReport> {
  const world = new World(seed, { isTold, kind: kind ?? bug?.kind });
  bug?.spoil?.(world);
  await openSale(world);
  startProcesses(world, bundle);
  const isLine = world.hasLine;
  const isStranger = !isLine && world.profile.redisLosses === 0 && world.random.chance(0.1);
  const users = [...world.postgres.users, ...(isStranger ? [STRANGER] : [])];
  let open = users.length + 1;
  const close = () => {
    open -= 1;
  };
  for (const userId of users) shop(world, userId).then(close, world.fail);
  runShop(world).then(close, world.fail);
  runDisasters(world).catch(world.fail);
  const until = world.wellFrom + (isLine ? LINE_REST_MS : REST_MS);
  await world.time.run(() => world.time.now > until || (open === 0 && isAtRest(world)));
  for (const problem of checkBooks(world)) world.violate(problem);
  const orders: Record<string, number> = {};
  for (const { status } of world.postgres.orders.find(null, () => true))
    orders[status] = (orders[status] ?? 0) + 1;
  const { violations, injected, trail = [], profile } = world;
  return {
    seed,
    kind: world.kind,
    profile,
    violations,
    injected,
    answers: world.ledger.answers,
    orders,
    trail,
  };
}

async function openSale(world: World): Promise<void> {
  const { postgres, profile, time } = world;
  for (let nth = 1; nth <= profile.shoppers; nth += 1) {
    postgres.users.add(`user${nth}`);
    if (nth % 3 === 0) postgres.levels.set(`user${nth}`, nth);
  }
  const startsAt = time.now + (world.hasLine ? OPENS_BEFORE_MS : -1_000);
  const campaignId = world.has('campaign') ? 'campaign' : null;
  if (campaignId)
    postgres.campaigns.cell(campaignId).committed = { id: campaignId, limitPerUser: limitOf(world) };
  const sale = {
    campaignId,
    status: 'published' as const,
    strategy: world.has('queue') ? ('queue' as const) : ('script' as const),
    epoch: 1,
    slices: world.slices,
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
    startsAt: new Date(startsAt),
    endsAt: new Date(time.now + DAY_MS),
    closedAt: null,
    admission: ADMISSIONS[world.kind] ?? ('first_come' as const),
    drawWeights: world.seed % 2 === 0 ? ('level' as const) : ('equal' as const),
    lateMoney: world.seed % 7 === 0 ? ('refund' as const) : ('retake' as const),
    entryOpensAt: new Date(Math.min(startsAt, time.now)),
    waitlist: world.hasWaitlist,
    waitlistClosed: false,
    merchantId: 'merchant',
    stockMargin: 0,
    soldOutAt: null,
    version: 1,
  };
  for (const id of world.saleIds) postgres.sales.cell(id).committed = { ...sale, id };
  if (world.hasLine) openLine(world);
}

/** Returns how many units a person may have over all sales of the campaign. */
const limitOf = ({ random, profile }: World): number => random.fork('campaign').int(1, profile.limit + 1);

function openLine({ postgres, random }: World): void {
  const own = random.fork('line');
  const bytes = () => Uint8Array.from({ length: 32 }, () => own.int(0, 255));
  const [seed, pseudonym_key] = [bytes(), bytes()];
  const seed_hash = createHash('sha256').update(seed).digest();
  postgres.lines.cell(SALE_ID).committed = { ...NEW_LINE, sale_id: SALE_ID, seed, seed_hash, pseudonym_key };
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
  const isTold = world.stockIds.every((id) => redis.xlen(keys.outbox(id)) === 0);
  const isStill = isTold && executor.isIdle() && executor.openBatches().length === 0;
  const isLoaded = world.stockIds.every((id) => stock.probe(id).status === 'loaded');
  return isStill && isLoaded && checkBooks(world).length === 0;
}
