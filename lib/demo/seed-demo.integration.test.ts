import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkCredentials } from '@/lib/account/check-credentials';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '@/lib/account/demo-accounts';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { issueOrderNo, releaseOrderNos } from '@/lib/order/records/issue-order-no';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { listedNow } from '@/lib/purchase/testing/listed-now';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { makeOverdue } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { createOrders } from '@/lib/settlement/create-orders';
import { configureStock } from '@/lib/stock/configure-stock';
import { purchaseStock } from '@/lib/stock/purchase-stock';
import { readStock } from '@/lib/stock/read-stock';
import { restock } from '@/lib/stock/restock';
import { verifyPublishedSales } from '@/lib/verify/verify-published-sales';
import { DEMO_SALES } from './catalog';
import { piecesFor } from './pieces-for';
import { repeatSales } from './repeat-sales';
import { seedDemo } from './seed-demo';

async function states(): Promise<Record<string, string>> {
  const { sales } = await listedNow();
  return Object.fromEntries(sales.map(({ slug, status }) => [slug, status]));
}

async function unverified(): Promise<unknown[]> {
  const broken: unknown[] = [];
  for await (const sale of verifyPublishedSales({ settleMs: 200 })) if (!sale.ok) broken.push(sale);
  return broken;
}

const find = (slug: string) => db().sale.findUniqueOrThrow({ where: { slug } });

async function booksOf(slug: string) {
  const stock = await readStock((await find(slug)).id);
  if (!stock) throw new Error(`${slug} has no stock`);
  const { total, available, held, sold } = stock;
  return { total, available, held, sold };
}

/** Sets the end of a sale's window to a second ago. */
async function endNow(slug: string): Promise<string> {
  const { id, epoch } = await find(slug);
  const endsAt = Date.now() - 1000;
  const startsAt = endsAt - 180_000;
  const entryOpensAt = new Date(startsAt);
  await db().sale.update({
    where: { slug },
    data: { entryOpensAt, startsAt: new Date(startsAt), endsAt: new Date(endsAt) },
  });
  await configureStock({ saleId: id, epoch, startsAt, endsAt });
  return id;
}

const EXPECTED = {
  'aurora-headphones': 'live',
  'tempo-watch': 'scheduled',
  'barista-press': 'sold_out',
  'trail-backpack': 'ended',
  'nimbus-lamp': 'scheduled',
};

beforeAll(seedDemo);
afterAll(async () => {
  await releaseOrderNos();
  await closeRedis();
  await closeDb();
});

describe('the demo', () => {
  it('[L4] has a sale in each state, and every one keeps the invariants', async () => {
    expect(await states()).toEqual(EXPECTED);
    expect(await unverified()).toEqual([]);
    const orders = await db().order.groupBy({ by: ['status'], _count: true });
    expect(orders).toEqual([{ status: 'paid', _count: 55 }]);
  });

  it('[L4] changes nothing when it is written again', async () => {
    const before = await db().sale.findMany({ orderBy: { id: 'asc' } });
    const recorded = await db().auditEntry.count();
    await seedDemo();
    expect(await db().auditEntry.count()).toBe(recorded);
    expect(await db().sale.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
    expect(await db().product.count()).toBe(DEMO_SALES.length);
    expect(await db().order.count()).toBe(55);
  });

  it('[L4] lets every demo account sign in with the demo password, and no demo buyer', async () => {
    const roles = new Set(DEMO_ACCOUNTS.map(({ role }) => role));
    expect([...roles].sort()).toEqual(['admin', 'auditor', 'merchant', 'shopper', 'support']);
    for (const { email, role } of DEMO_ACCOUNTS) {
      expect(await checkCredentials(email, DEMO_PASSWORD)).toMatchObject({ user: { role, isDemo: true } });
    }
    expect(await checkCredentials('demo-buyer-1@example.com', '!')).toMatchObject({ status: 'wrong' });
  });

  it('[L4] opens the live sale again at the next start once it is over', async () => {
    await endNow('aurora-headphones');
    expect(await states()).toMatchObject({ 'aurora-headphones': 'ended' });
    // Its own start is only two minutes after it was written.
    await endNow('tempo-watch');
    await seedDemo();
    expect(await states()).toEqual(EXPECTED);
  });
});

/** Has a demo shopper buy the watch now. */
async function buyWatch(quantity: number): Promise<AcceptedOrder> {
  const { id: saleId, epoch, gate } = await find('tempo-watch');
  await configureStock({ saleId, epoch, startsAt: Date.now() - 1000, endsAt: Date.now() + 60_000 });
  const { id: userId } = await db().user.findUniqueOrThrow({ where: { email: 'shopper1@example.com' } });
  const [orderNo, jti] = [await issueOrderNo(userId), newId('jti')];
  const bought = await purchaseStock({ saleId, epoch, gate, userId, jti, orderNo, quantity });
  if (bought.status !== 'accepted') throw new Error(bought.status);
  const order = { orderNo, userId, quantity, jti, epoch, acceptedAt: bought.acceptedAt };
  await createOrders({ saleId, orders: [order] });
  await stockRedis().del(keys.outbox(saleId));
  return order;
}

describe('the sale that repeats', () => {
  // Also after a test that failed half-way: all its pieces, in a window that lies ahead.
  beforeEach(async () => {
    await endNow('tempo-watch');
    await seedDemo();
  });

  it('[L4] gets a new window, read by the relays, with the pieces it always has', async () => {
    const before = await booksOf('tempo-watch');
    await buyWatch(2);
    const saleId = await endNow('tempo-watch');
    await stockRedis().srem(keys.openSales(), saleId);
    await Promise.all([repeatSales.run(), repeatSales.run()]);

    const stock = await readStock(saleId);
    const { available, held, sold } = before;
    expect(stock).toMatchObject({ total: 100, available: available - 2, held: held + 2, sold });
    const sale = await find('tempo-watch');
    expect(sale).toMatchObject({ totalStock: 100, status: 'published' });
    expect(sale.startsAt.getTime()).toBe(stock?.startsAt);
    expect(sale.endsAt.getTime() - sale.startsAt.getTime()).toBe(180_000);
    expect(sale.startsAt.getTime() - Date.now()).toBeGreaterThan(110_000);
    expect(await stockRedis().sismember(keys.openSales(), saleId)).toBe(1);
    expect(await unverified()).toEqual([]);
  });

  it('[L4 C6] has as many pieces after any number of starts, whatever is held, comes back or is paid', async () => {
    const { available, held, sold } = await booksOf('tempo-watch');
    const [first, second] = [await buyWatch(1), await buyWatch(2)];
    const saleId = await endNow('tempo-watch');
    await Promise.all([seedDemo(), seedDemo(), repeatSales.run()]);
    await makeOverdue([first.orderNo]);
    await releaseUnpaid([first.orderNo]);
    expect(await payFor(second.orderNo)).toBe('applied');
    await confirmPaid([{ saleId, orderNo: second.orderNo }]);
    for (let round = 0; round < 3; round += 1) {
      await endNow('tempo-watch');
      await seedDemo();
    }
    expect(await booksOf('tempo-watch')).toEqual({
      total: 100,
      available: available - 2,
      held,
      sold: sold + 2,
    });
    expect(await find('tempo-watch')).toMatchObject({
      totalStock: 100,
      soldStock: sold + 2,
      heldStock: held,
    });
    expect(await unverified()).toEqual([]);
  });

  it('[L4] gets as many again once fewer than half are left, so that there is always something to buy', async () => {
    expect([0, 50, 51, 150, 151].map((sold) => piecesFor(100, sold))).toEqual([100, 100, 200, 200, 300]);
  });

  it.each(['after Redis was told', 'before Redis was told'])(
    '[L4 C6] killed in the middle of a restart, %s, it has them after the next',
    async (when) => {
      const saleId = await endNow('tempo-watch');
      // The state that an older version left: it counted the pieces held meanwhile twice.
      await db().sale.update({ where: { id: saleId }, data: { totalStock: 103 } });
      const { epoch } = await find('tempo-watch');
      await restock({ saleId, epoch, delta: 3, requestId: newId('older') });
      if (when === 'after Redis was told')
        await restock({ saleId, epoch, delta: -3, requestId: newId('killed') });
      await seedDemo();
      expect(await readStock(saleId)).toMatchObject({ total: 100 });
      expect(await find('tempo-watch')).toMatchObject({ totalStock: 100 });
      expect(await unverified()).toEqual([]);
    },
  );

  it('[L4] is left alone while its window is open or ahead', async () => {
    const before = await find('tempo-watch');
    await repeatSales.run();
    expect(await find('tempo-watch')).toEqual(before);
  });
});
