import { afterAll, expect, it } from 'vitest';
import { serveWaitlist } from '@/lib/checkout/waitlist/serve-waitlist';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { confirmStock } from '@/lib/stock/confirm-stock';
import { loadStock } from '@/lib/stock/load-stock';
import { purchaseStock } from '@/lib/stock/purchase-stock';
import { releaseStock } from '@/lib/stock/release-stock';
import { takeBackStock } from '@/lib/stock/take-back-stock';
import { GATE, HOUR_MS } from '@/lib/stock/testing/open-sale';
import { enlistInRedis } from '@/lib/waitlist/enlist-in-redis';
import { joinInRedis } from '@/lib/waitlist/join-in-redis';
import { leaveInRedis } from '@/lib/waitlist/leave-in-redis';
import { parsePlace } from '@/lib/waitlist/parse-place';
import { createRandom, type Random } from '@/tools/harness/random';
import { calmModules } from '../testing/calm-modules';

afterAll(closeRedis);

const real = {
  confirmStock,
  loadStock,
  purchaseStock,
  releaseStock,
  takeBackStock,
  enlistInRedis,
  joinInRedis,
  leaveInRedis,
  serveWaitlist,
};
type Verbs = typeof real;
type Step = { name: string; work: (verbs: Verbs) => Promise<unknown> };

const HISTORIES = 25;
const STEPS = 60;
const USERS = ['ada', 'ben', 'cyd', 'dan', 'eve'];
/** What must happen at least once; otherwise the comparison proves less than it claims. */
const EXPECTED = [
  'joined',
  'waiting',
  'available',
  'already_bought',
  'token_used',
  'full',
  'closed',
  'no_waitlist',
];
const OTHERS = ['stale_epoch', 'enlisted', 'released', 'taken_back', 'given', 'passed_over', 'sold_out'];

it('[M2] the simulated verbs on those who wait answer and leave everything as the scripts in a real Redis do', async () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const random = createRandom(seed);
    const { modules } = calmModules();
    const simulated: Verbs = Object.assign({}, ...Object.values(modules));
    const client = modules['lib/redis/client'].stockRedis();
    const sale = { saleId: `sim_waiting_${process.pid}_${seed}`, epoch: 1, nth: 0 };
    const trail: string[] = [];
    for (let nth = 0; nth < STEPS; nth += 1) {
      sale.nth = nth;
      const { name, work } = nth === 0 ? load(random, sale) : await nextStep(random, sale);
      const [expected, actual] = [await work(real), await work(simulated)];
      trail.push(`${name}: ${JSON.stringify(expected)}`);
      const status = (expected as { status?: string }).status;
      if (status) seen.add(status);
      expect({ trail, answer: timeless(actual) }).toEqual({ trail, answer: timeless(expected) });
      const left = await remains(stockRedis(), sale.saleId);
      expect({ trail, left: await remains(client, sale.saleId) }).toEqual({ trail, left });
      for (const text of Object.values(left.places)) seen.add(parsePlace(text).state);
    }
  }
  expect([...EXPECTED, ...OTHERS].filter((status) => !seen.has(status))).toEqual([]);
});

type Sale = { saleId: string; epoch: number; nth: number };

/** Loads the sale under the next epoch with nobody in it; those who wait stay, if it has a waitlist. */
function load(random: Random, sale: Sale): Step {
  const total = random.int(0, 3);
  const kind = random.weighted({ open: 8, closed: 1, none: 1, kept: 1 });
  if (sale.nth > 0) sale.epoch += 1;
  const waitlist = {
    isOpen: kind !== 'closed',
    lastPlace: 100 * sale.epoch,
    graceMs: kind === 'kept' ? HOUR_MS : 0,
  };
  const snapshot = {
    ...sale,
    total,
    available: total,
    held: 0,
    sold: 0,
    limit: random.int(1, 2),
    gate: GATE,
    paused: random.chance(0.1),
    startsAt: Date.now() - HOUR_MS,
    endsAt: Date.now() + HOUR_MS,
    buyers: [],
    ...(kind !== 'none' && { waitlist }),
  };
  return { name: `load ${kind}`, work: (verbs) => verbs.loadStock(snapshot) };
}

async function nextStep(random: Random, sale: Sale): Promise<Step> {
  const { saleId, nth } = sale;
  const userId = random.pick(USERS);
  const asked = { saleId, userId, jti: `token_${random.int(1, 25)}`, orderNo: String(1_000 + nth) };
  const epoch = random.chance(0.05) ? sale.epoch + 1 : sale.epoch;
  const record = (await stockRedis().hget(keys.buyers(saleId), userId)) ?? '';
  const order = { saleId, userId, orderNo: random.pick(record.split(';')).split(',')[1] ?? '999' };
  const cap = random.chance(0.1) ? 1 : 100;
  const people = [asked, { ...asked, userId: random.pick(USERS), orderNo: String(2_000 + nth) }];
  const works: Record<string, Step['work']> = {
    purchase: (verbs) => verbs.purchaseStock({ ...asked, quantity: 1, gate: GATE, epoch }),
    confirm: (verbs) => verbs.confirmStock(order),
    release: (verbs) => verbs.releaseStock(order),
    'take back': (verbs) => verbs.takeBackStock(order, nth % 2 === 0),
    join: (verbs) => verbs.joinInRedis({ ...asked, epoch }, cap),
    leave: async (verbs) => ({ hasLeft: await verbs.leaveInRedis(saleId, userId) }),
    serve: async (verbs) => ({ served: await verbs.serveWaitlist({ saleId, epoch }) }),
    enlist: (verbs) => verbs.enlistInRedis({ saleId, epoch }, people),
  };
  const weights = {
    purchase: 8,
    confirm: 2,
    release: 6,
    'take back': 3,
    join: 14,
    leave: 3,
    serve: 1,
    enlist: 1,
  };
  const name = random.weighted<string>({ ...weights, load: 1 });
  return name === 'load' ? load(random, sale) : { name, work: works[name] as Step['work'] };
}

const timeless = (answer: unknown) => ({ ...(answer as object), acceptedAt: 0 });

/** Reads what a sale has left in Redis. */
async function remains(redis: ReturnType<typeof stockRedis>, saleId: string) {
  const names = ['epoch', 'total', 'available', 'held', 'sold', 'waitlist'] as const;
  const sale = await redis.hmget(keys.sale(saleId), ...names, 'lastPlace', 'awaited');
  const hash = async (key: string) => {
    const [, flat] = await redis.hscan(key, '0', 'COUNT', 1_000);
    return Object.fromEntries(
      flat.flatMap((field, at) => (at % 2 === 0 ? [[field, flat[at + 1] ?? '']] : [])),
    );
  };
  const outbox = await redis.xrange(keys.outbox(saleId), '-', '+', 'COUNT', 1_000);
  return {
    sale: sale.map((text) => (text === null ? '0' : text)),
    buyers: await hash(keys.buyers(saleId)),
    places: await hash(keys.places(saleId)),
    first: await redis.zrange(keys.waitlist(saleId), '0', '0', 'WITHSCORES'),
    outbox: outbox.map(([, fields]) => fields.slice(0, -1)),
  };
}
