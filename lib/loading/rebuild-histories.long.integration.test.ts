import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import { closeDb, db } from '@/lib/db/client';
import { leaveRedis } from '@/lib/fallback/records/change-mode';
import { cancelOrder } from '@/lib/order/cancel-order';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { returnMoney } from '@/lib/payment/return-money';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { makeBuyers } from '@/lib/purchase/testing/fallback-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { publicView } from '@/lib/purchase/testing/public-view';
import { buy, makeOverdue, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { editSale } from '@/lib/sale/admin/edit-sale';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { restockSale } from '@/lib/sale/admin/restock-sale';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { makeSale } from '@/test/support/make-sale';
import { ensureStockLoaded } from './ensure-stock-loaded';
import { returnToRedis } from './return-to-redis';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

type World = { sale: SaleFixture; merchant: Actor; orders: AcceptedOrder[] };

const [LEAST, MOST] = [1, 4];
const pick = fc.nat(MOST - 1);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ verb: fc.constant('buy' as const), user: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant('cancel' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('pay' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('payLate' as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ verb: fc.constant('restock' as const), delta: fc.constantFrom(-2, -1, 1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ verb: fc.constantFrom('write' as const, 'pause' as const, 'resume' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ verb: fc.constantFrom('extend' as const, 'close' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constantFrom(
        'loseAll' as const,
        'loseStock' as const,
        'restart' as const,
        'failOver' as const,
      ),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

it('[B2 J4] whatever happened before, a rebuild changes nothing that anybody can see', async () => {
  const seen = new Set<string>();
  const history = fc.record({
    hasFallback: fc.boolean(),
    total: fc.integer({ min: LEAST, max: MOST }),
    steps: fc.array(step, { maxLength: 14 }),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ hasFallback, total, steps }) => {
      const world = await open(total, hasFallback);
      for (const one of [...steps, { verb: 'failOver' as const }, { verb: 'loseAll' as const }]) {
        await take(world, one);
        seen.add(`${one.verb} ${(await publicView(world.sale.saleId)).state.status}`);
      }
    }),
    { numRuns: 40 },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(['loseAll sold_out', 'failOver sold_out', 'loseAll ended']),
  );
});

async function open(total: number, hasFallback: boolean): Promise<World> {
  const { sale, merchant } = await makeSale({
    totalStock: total,
    limitPerUser: 4,
    onStockOutage: hasFallback ? 'database' : 'closed',
  });
  const { saleId, epoch } = sale;
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  return { sale: { saleId, epoch, gate, userIds: await makeBuyers(6) }, merchant, orders: [] };
}

async function take(world: World, one: Step): Promise<void> {
  const { sale, merchant, orders } = world;
  const { saleId } = sale;
  const order = 'pick' in one ? orders[one.pick] : undefined;
  switch (one.verb) {
    case 'buy': {
      const { epoch } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
      const bought = await buy({ ...sale, epoch }, sale.userIds[one.user] ?? '').catch(() => null);
      if (bought) orders.push(bought);
      return;
    }
    case 'write':
      await drainOutbox(saleId);
      return;
    case 'cancel':
    case 'pay':
    case 'payLate':
      if (!order) return;
      await drainOutbox(saleId);
      return end(saleId, order, one.verb);
    case 'restock':
      await drainOutbox(saleId);
      await restockSale(merchant, saleId, one.delta);
      return;
    case 'pause':
    case 'resume':
      await setSalePaused(merchant, saleId, one.verb === 'pause');
      return;
    case 'extend': {
      const { version, endsAt } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
      await editSale(merchant, saleId, { version, endsAt: endsAt.getTime() + 60_000 });
      return;
    }
    case 'close':
      await closeSale(merchant, saleId);
      return;
    case 'loseAll':
      // Otherwise purchases on their way would show on no screen except their buyers', because only the web process
      // remembers them.
      await drainOutbox(saleId);
      return rebuild(saleId, () => stockRedis().flushdb());
    case 'loseStock':
      return rebuild(saleId, () => stockRedis().del(keys.sale(saleId), keys.buyers(saleId)));
    case 'restart':
      return rebuild(saleId, () => stockRedis().hset(keys.sale(saleId), 'server', 'another'));
    case 'failOver':
      await drainOutbox(saleId);
      return failOver(saleId);
  }
}

async function end(
  saleId: string,
  { orderNo, userId }: AcceptedOrder,
  how: 'cancel' | 'pay' | 'payLate',
): Promise<void> {
  if (how === 'cancel') await cancelOrder(userId, orderNo);
  if (how === 'payLate') {
    await makeOverdue([orderNo]);
    await releaseUnpaid([orderNo]);
  }
  if (how !== 'cancel') await payFor(orderNo);
  await confirmPaid([{ saleId, orderNo }]);
  await returnMoney([{ paymentId: `pay_${orderNo}` }]);
}

async function rebuild(saleId: string, lose: () => Promise<unknown>): Promise<void> {
  const before = await publicView(saleId);
  await lose();
  await ensureStockLoaded(saleId);
  expect(await publicView(saleId)).toEqual(before);
}

/** Lets Postgres take over, with no purchase on its way, and give the sale back. */
async function failOver(saleId: string): Promise<void> {
  const { tiers: _, ...before } = await publicView(saleId);
  const { epoch } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  if (!(await leaveRedis(saleId, epoch))) return;
  const { tiers: _t, ...meanwhile } = await publicView(saleId);
  expect(meanwhile).toEqual(before);
  expect(await returnToRedis(saleId)).toBe(true);
  const { tiers: _u, ...after } = await publicView(saleId);
  expect(after).toEqual(before);
}
