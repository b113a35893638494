import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { confirmStock } from '@/lib/stock/confirm-stock';
import { loadStock } from '@/lib/stock/load-stock';
import { probeStock } from '@/lib/stock/probe-stock';
import { purchaseStock } from '@/lib/stock/purchase-stock';
import { reacquireStock } from '@/lib/stock/reacquire-stock';
import { releaseStock } from '@/lib/stock/release-stock';
import { takeBackStock } from '@/lib/stock/take-back-stock';
import { GATE } from '@/lib/stock/testing/open-sale';
import { history, type Step, WINDOWS } from '@/lib/stock/testing/steps';
import { calmModules } from '../testing/calm-modules';

afterAll(closeRedis);

const real = {
  purchaseStock,
  confirmStock,
  releaseStock,
  reacquireStock,
  takeBackStock,
  loadStock,
  probeStock,
};
type Verbs = typeof real;
type Sale = {
  saleId: string;
  epoch: number;
  total: number;
  limit: number;
  bought: { user: string; orderNo: string }[];
};

/** Every status that must appear at least once; otherwise the comparison proves less than it claims. */
const EXPECTED = [
  'accepted',
  'replayed',
  'already_bought',
  'over_limit',
  'sold_out',
  'gate_invalid',
  'stale_epoch',
  'not_started',
  'ended',
  'paused',
  'confirmed',
  'already_confirmed',
  'released',
  'already_released',
  'unknown_order',
  'retaken',
  'already_held',
  'taken_back',
  'loaded',
  'already_loaded',
  'unknown_sale',
];

it('[C1 C3 C6] the simulated stock verbs answer and leave everything as the scripts in a real Redis do', async () => {
  const seen = new Set<string>();
  let nth = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ total, limit, steps }) => {
      nth += 1;
      const { modules } = calmModules();
      const simulated: Verbs = Object.assign({}, ...Object.values(modules));
      const client = modules['lib/redis/client'].stockRedis();
      const sale: Sale = { saleId: `sim_${process.pid}_${nth}`, epoch: 1, total, limit, bought: [] };
      const both = async (step: (verbs: Verbs) => Promise<{ status: string }>) => {
        const [expected, actual] = [await step(real), await step(simulated)];
        seen.add(expected.status);
        expect({ ...actual, acceptedAt: 0 }).toEqual({ ...expected, acceptedAt: 0 });
        expect(await remains(client, sale)).toEqual(await remains(stockRedis(), sale));
        return expected;
      };
      await both((verbs) => verbs.probeStock(sale.saleId));
      await both((verbs) => verbs.confirmStock({ saleId: sale.saleId, userId: 'ada', orderNo: '7' }));
      await both((verbs) => verbs.loadStock({ ...snapshot(sale), buyers: [] }));
      for (const [index, step] of steps.entries()) await apply(sale, step, index, both);
    }),
    { numRuns: 40, seed: 20_260_101 },
  );
  expect(EXPECTED.filter((status) => !seen.has(status))).toEqual([]);
});

const snapshot = ({ saleId, epoch, total, limit }: Sale) => ({
  saleId,
  epoch,
  total,
  available: total,
  held: 0,
  sold: 0,
  limit,
  gate: GATE,
  paused: false,
  ...WINDOWS.open,
});

async function apply(
  sale: Sale,
  step: Step,
  index: number,
  both: (step: (verbs: Verbs) => Promise<{ status: string }>) => Promise<{ status: string }>,
): Promise<void> {
  const { saleId, epoch, bought } = sale;
  const pick = (user: string, nth: number) =>
    bought.filter((one) => one.user === user)[nth]?.orderNo ?? '999';
  switch (step.verb) {
    case 'purchase': {
      const asked = { saleId, userId: step.user, jti: `token_${step.token}`, orderNo: String(1_000 + index) };
      const gate = step.isGateWrong ? 'wrong' : GATE;
      const claim = { quantity: step.quantity, gate, epoch: step.isEpochStale ? epoch - 1 : epoch };
      const { status } = await both((verbs) => verbs.purchaseStock({ ...asked, ...claim }));
      if (status === 'accepted') bought.push({ user: step.user, orderNo: asked.orderNo });
      return;
    }
    case 'confirm':
    case 'release': {
      const order = { saleId, userId: step.user, orderNo: pick(step.user, step.pick) };
      await both((verbs) =>
        step.verb === 'confirm' ? verbs.confirmStock(order) : verbs.releaseStock(order),
      );
      return;
    }
    case 'retake': {
      // The order may also be one that Redis does not know: a rebuild may have forgotten it.
      const order = {
        saleId,
        userId: step.user,
        orderNo: pick(step.user, step.pick),
        jti: `retaken_${index}`,
        units: 1,
      };
      await both((verbs) => verbs.reacquireStock({ ...order, as: step.isSale ? 'sold' : 'held' }));
      return;
    }
    case 'take-back': {
      const order = { saleId, userId: step.user, orderNo: pick(step.user, step.pick) };
      await both((verbs) => verbs.takeBackStock(order, step.isSale));
      return;
    }
    case 'load':
    case 'configure': {
      // Other settings come with a reload, because the other ways to change them are not simulated.
      const ahead = step.verb === 'load' ? step.ahead : 1;
      const settings =
        step.verb === 'load' ? {} : { paused: step.paused ?? false, ...WINDOWS[step.window ?? 'open'] };
      const to = Math.max(1, epoch + ahead);
      const { status } = await both((verbs) =>
        verbs.loadStock({ ...snapshot(sale), ...settings, epoch: to, buyers: [] }),
      );
      if (status === 'loaded') Object.assign(sale, { epoch: to, bought: [] });
      return;
    }
    default:
      return;
  }
}

/** Reads what a sale has left in Redis: tiers, buyers, and messages without their ids. */
async function remains(redis: ReturnType<typeof stockRedis>, { saleId }: Sale) {
  const tiers = await redis.hmget(
    keys.sale(saleId),
    'epoch',
    'total',
    'available',
    'held',
    'sold',
    'limit',
    'paused',
    'retaken',
  );
  const [, flat] = await redis.hscan(keys.buyers(saleId), '0', 'COUNT', 1_000);
  const buyers = Object.fromEntries(flat.flatMap((user, at) => (at % 2 === 0 ? [[user, flat[at + 1]]] : [])));
  const outbox = await redis.xrange(keys.outbox(saleId), '-', '+', 'COUNT', 1_000);
  return { tiers, buyers, outbox: outbox.map(([, fields]) => fields.slice(0, -1)) };
}
