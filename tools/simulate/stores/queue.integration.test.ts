import { afterAll, expect, it } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { closeStock } from '@/lib/stock/close-stock';
import { configureStock } from '@/lib/stock/configure-stock';
import { confirmStock } from '@/lib/stock/confirm-stock';
import { decideQueue } from '@/lib/stock/decide-queue';
import { enqueuePurchase } from '@/lib/stock/enqueue-purchase';
import { loadStock } from '@/lib/stock/load-stock';
import type { PurchaseResult } from '@/lib/stock/purchase-stock';
import { readAsked } from '@/lib/stock/read-asked';
import { releaseStock } from '@/lib/stock/release-stock';
import { GATE, HOUR_MS } from '@/lib/stock/testing/open-sale';
import { createRandom } from '@/tools/harness/random';
import { calmModules } from '../testing/calm-modules';

afterAll(closeRedis);

const real = {
  closeStock,
  configureStock,
  confirmStock,
  decideQueue,
  enqueuePurchase,
  loadStock,
  releaseStock,
};
type Verbs = typeof real;
type Redis = ReturnType<typeof stockRedis>;

const HISTORIES = 25;
const STEPS = 80;
const USERS = ['ada', 'ben', 'cyd'];
const ORIGINS = [
  { ip: '', device: '' },
  { ip: '192.0.2.1', device: 'dev_1' },
];
const START = { startsAt: Date.now() - HOUR_MS, endsAt: Date.now() + HOUR_MS };
/** Every answer that must come at least once: when queued, and when decided. */
const QUEUED = [
  'undecided',
  'repeated',
  'replayed',
  'ended',
  'not_started',
  'paused',
  'gate_invalid',
  'stale_epoch',
];
const DECIDED = ['accepted', 'paused', 'already_bought', 'over_limit', 'sold_out', 'stale_epoch'];

it('[C10] the simulated verbs on queues answer and leave everything as the scripts in a real Redis do', async () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const random = createRandom(seed);
    const { modules } = calmModules();
    const simulated: Verbs = Object.assign({}, ...Object.values(modules));
    const sides: [Verbs, Redis][] = [
      [real, stockRedis()],
      [simulated, modules['lib/redis/client'].stockRedis()],
    ];
    const saleId = `queued_${process.pid}_${seed}`;
    const sale = { saleId, total: random.int(1, 6), gate: GATE, limit: random.int(1, 3) };
    let epoch = 1;
    const load = (verbs: Verbs) =>
      verbs.loadStock({
        ...sale,
        ...START,
        epoch,
        available: sale.total,
        held: 0,
        sold: 0,
        paused: false,
        buyers: [],
      });
    const trail: string[] = [];
    const both = async <T>(what: string, step: (verbs: Verbs) => Promise<T>): Promise<T> => {
      trail.push(what);
      const answers: T[] = [];
      const left: unknown[] = [];
      for (const [verbs, redis] of sides) {
        answers.push(await step(verbs));
        left.push(await remains(redis, saleId));
      }
      expect({ seed, trail, answer: plain(answers[1]), left: left[1] }).toEqual({
        seed,
        trail,
        answer: plain(answers[0]),
        left: left[0],
      });
      return answers[0] as T;
    };
    await both('load', load);
    const bought: { userId: string; orderNo: string }[] = [];
    for (let nth = 0; nth < STEPS; nth += 1) {
      const verb = random.weighted({
        enqueue: 12,
        decide: 3,
        confirm: 1,
        release: 2,
        configure: 1,
        load: 0.4,
        close: 0.1,
      });
      const order = {
        saleId,
        ...(bought.length > 0 ? random.pick(bought) : { userId: 'ada', orderNo: '1' }),
      };
      if (verb === 'enqueue') {
        const userId = random.pick(USERS);
        const jti = `token_${random.int(1, 8)}`;
        const claim = {
          epoch: random.chance(0.97) ? epoch : epoch - 1,
          gate: random.chance(0.97) ? GATE : 'x',
        };
        const purchase = {
          saleId,
          userId,
          jti,
          orderNo: String(1_000 + nth),
          quantity: random.int(1, 2),
          ...claim,
        };
        const origin = random.pick(ORIGINS);
        const { status, ...rest } = await both(`enqueue ${userId} ${jti}`, (verbs) =>
          verbs.enqueuePurchase(purchase, origin),
        );
        seen.add(`queued ${'isRepeated' in rest && rest.isRepeated ? 'repeated' : status}`);
      } else if (verb === 'decide') {
        for (const { userId, orderNo, result } of await both('decide', (verbs) =>
          verbs.decideQueue(saleId),
        )) {
          seen.add(`decided ${result.status}`);
          if (result.status === 'accepted') bought.push({ userId, orderNo });
        }
      } else if (verb === 'confirm') await both('confirm', (verbs) => verbs.confirmStock(order));
      else if (verb === 'release') await both('release', (verbs) => verbs.releaseStock(order));
      else if (verb === 'close')
        await both('close', async (verbs) => (await verbs.closeStock({ saleId, epoch })).status);
      else if (verb === 'configure') {
        const startsAt = random.chance(0.2) ? Date.now() + HOUR_MS : START.startsAt;
        const change = { saleId, epoch, paused: random.chance(0.4), startsAt, limit: random.int(1, 3) };
        await both('configure', (verbs) => verbs.configureStock(change));
      } else {
        epoch += 1;
        await both('load', load);
      }
    }
  }
  const expected = [...QUEUED.map((each) => `queued ${each}`), ...DECIDED.map((each) => `decided ${each}`)];
  expect(expected.filter((each) => !seen.has(each))).toEqual([]);
});

it('[C10] what became of a purchase is read alike from both', async () => {
  const { modules } = calmModules();
  const { enqueuePurchase: enqueue } = modules['lib/stock/enqueue-purchase'];
  const sale = { saleId: `read_${process.pid}`, epoch: 1, gate: GATE };
  const stock = {
    ...sale,
    ...START,
    total: 1,
    available: 1,
    held: 0,
    sold: 0,
    limit: 2,
    paused: false,
    buyers: [],
  };
  for (const verbs of [real, { ...modules['lib/stock/load-stock'], enqueuePurchase: enqueue }] as Verbs[]) {
    await verbs.loadStock(stock);
    const asked = { ...sale, userId: 'ada', jti: 'first', orderNo: '1', quantity: 1 };
    await verbs.enqueuePurchase(asked, { ip: '', device: '' });
  }
  expect(await readAsked(sale.saleId, 'ada', '1')).toEqual({
    jti: 'first',
    orderNo: '1',
    units: 1,
    refusal: null,
  });
  const hash = await modules['lib/redis/client'].stockRedis().hget(keys.asked(sale.saleId), 'ada');
  expect(hash).toBe(await stockRedis().hget(keys.asked(sale.saleId), 'ada'));
});

/** Leaves out by which moment each side accepted. */
const plain = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (name, value) => (name === 'acceptedAt' ? 0 : value)) as PurchaseResult;

/** Reads what a sale has left in Redis, without ids of entries and moments of their writing. */
async function remains(redis: Redis, saleId: string) {
  const hash = async (key: string) => {
    const [, flat] = await redis.hscan(key, '0', 'COUNT', 1_000);
    return Object.fromEntries(flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]]] : [])));
  };
  const queue = await redis.xrange(keys.queue(saleId), '-', '+', 'COUNT', 1_000);
  const outbox = await redis.xrange(keys.outbox(saleId), '-', '+', 'COUNT', 1_000);
  return {
    tiers: await redis.hmget(
      keys.sale(saleId),
      'epoch',
      'total',
      'available',
      'held',
      'sold',
      'limit',
      'paused',
      'closed',
    ),
    buyers: await hash(keys.buyers(saleId)),
    asked: await hash(keys.asked(saleId)),
    queue: queue.map(([, fields]) => fields),
    outbox: outbox.map(([, fields]) => fields.slice(0, -1)),
  };
}
