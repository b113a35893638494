import { afterAll, expect, it } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { endParcel } from '@/lib/stock/end-parcel';
import { giveParcel } from '@/lib/stock/give-parcel';
import { loadStock } from '@/lib/stock/load-stock';
import { purchaseStock } from '@/lib/stock/purchase-stock';
import { dropAllowances, putAllowance } from '@/lib/stock/put-allowance';
import { reacquireStock } from '@/lib/stock/reacquire-stock';
import { releaseStock } from '@/lib/stock/release-stock';
import { takeParcel } from '@/lib/stock/take-parcel';
import { GATE, HOUR_MS } from '@/lib/stock/testing/open-sale';
import { trimAllowance } from '@/lib/stock/trim-allowance';
import { createRandom } from '@/tools/harness/random';
import { calmModules } from '../testing/calm-modules';

afterAll(closeRedis);

const real = {
  dropAllowances,
  endParcel,
  giveParcel,
  loadStock,
  purchaseStock,
  putAllowance,
  reacquireStock,
  releaseStock,
  takeParcel,
  trimAllowance,
};
type Verbs = typeof real;
type Redis = ReturnType<typeof stockRedis>;

const HISTORIES = 20;
const STEPS = 80;
const USERS = ['ada', 'ben'];
/** Every answer that must come at least once. */
const EXPECTED = [
  'purchase accepted',
  'purchase campaign_limit',
  'purchase over_limit',
  'purchase sold_out',
  'retake retaken',
  'retake over_limit',
  'trim trimmed',
  'trim late',
  'trim stale_epoch',
  'give given',
  'give none',
  'give late',
  'give under_way',
  'give stale_epoch',
  'take taken',
  'take already_taken',
  'end ended',
  'end already_ended',
];
const FIELDS = ['epoch', 'total', 'available', 'held', 'sold', 'taken', 'given', 'sent', 'shared', 'retaken'];

it('[A8 M10] the simulated shares of a limit and parcels of units are as those in a real Redis', async () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const random = createRandom(seed);
    const { modules } = calmModules();
    const simulated: Verbs = Object.assign({}, ...Object.values(modules));
    const sides: [Verbs, Redis][] = [
      [real, stockRedis()],
      [simulated, modules['lib/redis/client'].stockRedis()],
    ];
    const saleId = `shared_${process.pid}_${seed}`;
    const trail: string[] = [];
    const both = async (what: string, step: (verbs: Verbs) => Promise<unknown>): Promise<void> => {
      trail.push(what);
      const results: unknown[] = [];
      for (const [verbs, redis] of sides)
        results.push([plain(await step(verbs)), await remains(redis, saleId)]);
      expect({ seed, trail, result: results[1] }).toEqual({ seed, trail, result: results[0] });
      const { status } = (results[0] as [{ status?: string } | null])[0] ?? {};
      if (status) seen.add(`${what.split(' ')[0]} ${status}`);
    };
    let [epoch, number] = [1, 0];
    const total = random.int(2, 6);
    const load = () =>
      both('load', (verbs) =>
        verbs.loadStock({
          saleId,
          epoch,
          total,
          available: total,
          held: 0,
          sold: 0,
          startsAt: Date.now() - HOUR_MS,
          endsAt: Date.now() + HOUR_MS,
          limit: 3,
          gate: GATE,
          paused: false,
          sharesLimit: seed % 4 !== 0,
          parcel: number,
          buyers: [],
        }),
      );
    await load();
    const bought: { userId: string; orderNo: string; jti: string; units: number }[] = [];
    for (let nth = 0; nth < STEPS; nth += 1) {
      const userId = random.pick(USERS);
      // Some calls come late, or once more.
      number += random.chance(0.7) ? 1 : 0;
      const at = random.chance(0.8) ? number : Math.max(1, number - 2);
      const known = random.chance(0.95) ? epoch : epoch - 1;
      const change = { userId, units: random.int(0, 3), number: BigInt(at) };
      const order = bought.length > 0 ? random.pick(bought) : { userId, orderNo: '1', jti: 'x', units: 1 };
      const verbs = {
        purchase: 8,
        release: 2,
        retake: 2,
        put: 5,
        trim: 3,
        drop: 0.3,
        give: 5,
        take: 3,
        end: 4,
        load: 0.5,
      };
      switch (random.weighted(verbs)) {
        case 'purchase': {
          const asked = {
            userId,
            jti: `token_${nth}`,
            orderNo: String(1_000 + nth),
            quantity: random.int(1, 3),
          };
          await both('purchase', (side) => side.purchaseStock({ saleId, epoch, gate: GATE, ...asked }));
          bought.push({ ...asked, units: asked.quantity });
          break;
        }
        case 'release':
          await both('release', (side) => side.releaseStock({ saleId, ...order }));
          break;
        case 'retake':
          await both('retake', (side) => side.reacquireStock({ saleId, ...order, as: 'held', takenAt: 1 }));
          break;
        case 'put':
          await both('put', (side) => side.putAllowance(saleId, change));
          break;
        case 'trim':
          await both('trim', (side) => side.trimAllowance({ stockId: saleId, epoch: known }, change));
          break;
        case 'drop':
          await both('drop', (side) => side.dropAllowances(saleId));
          break;
        case 'give':
          await both('give', (side) =>
            side.giveParcel(saleId, { epoch: known, number: at, units: random.fork(`${nth}`).int(1, 2) }),
          );
          break;
        case 'take':
          await both('take', (side) => side.takeParcel(saleId, { number: at, units: 1 }));
          break;
        case 'end':
          await both('end', (side) => side.endParcel(saleId, at, nth % 2 === 0));
          break;
        default:
          epoch += 1;
          await load();
      }
    }
  }
  expect(EXPECTED.filter((each) => !seen.has(each))).toEqual([]);
});

const plain = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer ?? null), (name, value) => (name === 'acceptedAt' ? 0 : value));

/** Reads what a stock has left in Redis. */
async function remains(redis: Redis, saleId: string) {
  const hash = async (key: string) => {
    const [, flat] = await redis.hscan(key, '0', 'COUNT', 1_000);
    return Object.fromEntries(flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]]] : [])));
  };
  const fields = await redis.hmget(keys.sale(saleId), ...FIELDS);
  return { fields, buyers: await hash(keys.buyers(saleId)), allowances: await hash(keys.allowances(saleId)) };
}
