import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReconcileProgress, ReconcileReport } from '@/lib/contract/shapes/reconcile';
import { closeDb, db } from '@/lib/db/client';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { refundOrder } from '@/lib/order/admin/refund-order';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { readOpenSales, retireSale } from '@/lib/outbox/open-sales';
import { askLatePayments } from '@/lib/payment/ask-provider';
import { sandbox } from '@/lib/payment/providers/sandbox/provider';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { standOf } from '@/lib/purchase/testing/order-fixture';
import { charge, payFor } from '@/lib/purchase/testing/pay-for';
import {
  buy,
  buyForAll,
  countStock,
  createSaleFixture,
  forge,
  makeOverdue,
  readStates,
  type SaleFixture,
} from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { syncSettings } from '@/lib/sale/admin/sync-settings';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { createOrders } from '@/lib/settlement/create-orders';
import { closeStock } from '@/lib/stock/close-stock';
import { configureStock } from '@/lib/stock/configure-stock';
import { confirmStock } from '@/lib/stock/confirm-stock';
import { reacquireStock } from '@/lib/stock/reacquire-stock';
import { readSettings } from '@/lib/stock/read-settings';
import { releaseStock } from '@/lib/stock/release-stock';
import { takeBackStock } from '@/lib/stock/take-back-stock';
import { verifySale } from '@/lib/verify/verify-sale';
import { eventually } from '@/test/support/eventually';
import { makeUser } from '@/test/support/make-sale';
import { readLastReport } from './keep-report';
import { lasting, lookAtSale } from './look-at-sale';
import { openProgress, readProgress } from './progress';
import { readReconciliation } from './reconcile-on-demand';
import { reconcileOpenSales } from './reconcile-open-sales';
import { type ReconcileOptions, reconcileSale } from './reconcile-sale';
import { repairDifference } from './repair-difference';

let sale: SaleFixture;
let orders: AcceptedOrder[];
const nth = (n: number) => orders[n] as AcceptedOrder;

/** Six buyers of twenty units: 0–3 unpaid orders, 4 and 5 still in the outbox. */
beforeEach(async () => {
  sale = await createSaleFixture({ total: 20, users: 9 });
  orders = await buyForAll(sale, 4);
  await drainOutbox(sale.saleId);
  orders.push(...(await buyForAll({ ...sale, userIds: sale.userIds.slice(4) }, 2)));
  // Adds an embedded executor: a purchase that is not in it is lost.
  await db().$executeRaw`
    INSERT INTO executor.functions (id, app_id, url, max_attempts, config) VALUES ('f', 'a', 'u', 5, '{}')
    ON CONFLICT DO NOTHING`;
});

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

async function reconcile(overrides: Partial<ReconcileOptions> = {}) {
  const options = { cause: 'demand', isRepairing: true, graceMs: 50, ...overrides } as const;
  const result = await reconcileSale(sale.saleId, options);
  if (result.status !== 'done') throw new Error(result.status);
  return result.report;
}

const named = async (overrides: Partial<ReconcileOptions> = {}) =>
  (await reconcile(overrides)).differences.map(({ kind, orderNo, outcome }) => [kind, orderNo, outcome]);

const isVerified = async () => (await verifySale(sale.saleId, { settleMs: 200 }))?.ok;

/** Ends an order in Postgres without telling Redis. */
async function cancelBehindItsBack({ orderNo }: AcceptedOrder): Promise<void> {
  await db().$transaction([
    db().$executeRaw`
      UPDATE orders SET status = 'cancelled', cancelled_at = now(), end_reason = 'expired', stock_settled_at = now()
      WHERE id = ${orderNo}::bigint`,
    db().$executeRaw`UPDATE sales SET held_stock = held_stock - 1 WHERE id = ${sale.saleId}`,
  ]);
}

describe('reconcileSale', () => {
  it('[C8] finds nothing in a sale that is right, explains what is on its way, and keeps its report', async () => {
    const report = await reconcile();
    expect(report).toMatchObject({ ok: true, found: 0, inFlight: 2, differences: [] });
    expect(await readLastReport(sale.saleId)).toEqual(report);
    expect(await reconcileSale('sale_nowhere', { cause: 'demand', isRepairing: false })).toEqual({
      status: 'not_published',
    });
  });

  it('[C8] lost release: units of an ended order go back, once', async () => {
    await cancelBehindItsBack(nth(0));
    expect(await named({ isRepairing: false })).toEqual([['lost_release', nth(0).orderNo, 'open']]);
    expect((await countStock(sale.saleId)).redis).toMatchObject({ available: 14, held: 6 });
    expect(await named()).toEqual([['lost_release', nth(0).orderNo, 'repaired']]);
    expect(await named()).toEqual([]);
    expect((await countStock(sale.saleId)).redis).toMatchObject({ available: 15, held: 5 });
    expect(await isVerified()).toBe(true);
  });

  it('[C8] lost confirm: a paid order that neither counter nor Redis has heard of is counted as sold', async () => {
    expect(await payFor(nth(1).orderNo)).toBe('applied');
    expect(await named()).toEqual([['lost_confirm', nth(1).orderNo, 'repaired']]);
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 14, held: 5, sold: 1 },
      postgres: { held: 3, sold: 1 },
    });
    expect(await isVerified()).toBe(true);
  });

  it('[C8 E3] orphan hold: a purchase whose message is lost gets it again and becomes an order', async () => {
    await stockRedis().del(keys.outbox(sale.saleId));
    expect((await named()).sort()).toEqual(
      [nth(4), nth(5)].map(({ orderNo }) => ['orphan_hold', orderNo, 'repaired']).sort(),
    );
    expect(await named()).toEqual([]);
    await drainOutbox(sale.saleId);
    expect((await readStates(sale.saleId)).get(nth(5).orderNo)?.status).toBe('pending_payment');
    expect(await isVerified()).toBe(true);
  });

  it('[C8] orphan hold: a purchase given back without a trace is reported, not guessed at', async () => {
    await stockRedis().del(keys.outbox(sale.saleId));
    await releaseStock({ ...sale, ...nth(4) });
    expect(await named()).toContainEqual(['orphan_hold', nth(4).orderNo, 'reported']);
  });

  it('[C8] phantom unit: tiers that count units of nobody, or do not add up, are loaded anew', async () => {
    await stockRedis().hincrby(keys.sale(sale.saleId), 'held', 2);
    await stockRedis().hincrby(keys.sale(sale.saleId), 'available', -2);
    expect(await named()).toEqual([['phantom_unit', null, 'repaired']]);
    await stockRedis().hincrby(keys.sale(sale.saleId), 'available', 7);
    expect(
      (await named()).every(([kind, , outcome]) => kind === 'phantom_unit' && outcome === 'repaired'),
    ).toBe(true);
    expect((await countStock(sale.saleId)).redis).toEqual({ available: 14, held: 6, sold: 0 });
    expect(await isVerified()).toBe(true);
  });

  it('[C8] phantom unit: units sold without a paid order are reported', async () => {
    await confirmStock({ saleId: sale.saleId, ...nth(2) });
    expect(await named()).toEqual([['phantom_unit', nth(2).orderNo, 'reported']]);
  });

  it('[C8 D5] phantom unit: what an ended order holds as sold goes back, unless late money may keep it', async () => {
    await cancelBehindItsBack(nth(2));
    await confirmStock({ saleId: sale.saleId, ...nth(2) });
    const payment = { where: { id: `pay_${nth(2).orderNo}` } };
    await charge(nth(2).orderNo);
    await db().payment.updateMany({ ...payment, data: { status: 'refund_due', settledAt: new Date() } });
    expect(await named()).toEqual([['phantom_unit', nth(2).orderNo, 'open']]);
    await db().payment.updateMany({ ...payment, data: { refundDecidedAt: new Date() } });
    expect(await named()).toEqual([['phantom_unit', nth(2).orderNo, 'repaired']]);
    expect((await countStock(sale.saleId)).redis).toEqual({ available: 15, held: 5, sold: 0 });
    expect(await isVerified()).toBe(true);
  });

  it('[C8 I10] phantom unit: what a late command takes for an order refunded long ago goes back', async () => {
    const { orderNo, userId, jti } = nth(2);
    const { saleId } = sale;
    await payFor(orderNo);
    await confirmPaid([{ saleId, orderNo }]);
    await refundOrder(await makeUser('admin'), orderNo, { reason: 'broken', returnStock: false });
    await reacquireStock({ saleId, orderNo, userId, jti, units: 1, as: 'sold' });
    expect((await countStock(saleId)).redis).toEqual({ available: 13, held: 5, sold: 1 });
    expect(await named()).toEqual([['phantom_unit', orderNo, 'repaired']]);
    expect((await countStock(saleId)).redis).toEqual({ available: 14, held: 5, sold: 0 });
    expect(await isVerified()).toBe(true);
  });

  it('[C8 D5] phantom unit: no unit of late money that is kept while the repair looks at it', async () => {
    const { orderNo, userId, jti } = nth(2);
    const { saleId } = sale;
    await cancelBehindItsBack(nth(2));
    await releaseStock({ saleId, orderNo, userId });
    await charge(orderNo);
    const paymentId = `pay_${orderNo}`;
    await db().payment.updateMany({
      where: { id: paymentId },
      data: { status: 'refund_due', settledAt: new Date() },
    });
    await reacquireStock({ saleId, orderNo, userId, jti, units: 1, as: 'sold' });
    let repair: Promise<void> | undefined;
    await db().$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE payments IN ACCESS EXCLUSIVE MODE`;
      const difference = { kind: 'phantom_unit', orderNo, userId, detail: '', repair: 'take_back' } as const;
      repair = repairDifference(
        { saleId, epoch: sale.epoch, slices: 1, sliceEpochs: [], onStockOutage: 'closed' },
        difference,
      );
      await eventually(async () => {
        const [{ waiting } = { waiting: 0 }] = await tx.$queryRaw<{ waiting: number }[]>`
          SELECT count(*)::int AS waiting FROM pg_locks WHERE relation = 'payments'::regclass AND NOT granted`;
        expect(waiting).toBe(1);
      });
      await tx.$executeRaw`UPDATE payments SET status = 'succeeded' WHERE id = ${paymentId}`;
      await tx.$executeRaw`
        UPDATE orders SET status = 'paid', paid_at = now(), end_reason = NULL, cancelled_at = NULL
        WHERE id = ${orderNo}::bigint`;
      await tx.$executeRaw`UPDATE sales SET sold_stock = sold_stock + 1 WHERE id = ${saleId}`;
    });
    await repair;
    expect((await countStock(saleId)).redis).toEqual({ available: 14, held: 5, sold: 1 });
    expect(await named()).toEqual([]);
  });

  it('[C8 D5] phantom unit: late money that takes units while the buyers are counted makes none', async () => {
    const { orderNo, userId, jti } = nth(2);
    const { saleId } = sale;
    await cancelBehindItsBack(nth(2));
    await releaseStock({ saleId, orderNo, userId });
    let isOver = false;
    const late = (async () => {
      while (!isOver) {
        await reacquireStock({ saleId, orderNo, userId, jti, units: 1, as: 'sold' });
        await takeBackStock({ saleId, orderNo, userId }, true);
      }
    })();
    const looks = await Promise.all(Array.from({ length: 15 }, () => lookAtSale(saleId)));
    isOver = true;
    await late;
    expect(looks.flatMap((look) => look?.books ?? [])).toEqual([]);
  });

  it('[C8] leaves the units of a refund to the sweep, which knows whether they are written off', async () => {
    const { orderNo } = nth(2);
    await payFor(orderNo);
    await db().$executeRaw`
      UPDATE orders SET status = 'refunded', refund_returns_stock = false, stock_settled_at = NULL
      WHERE id = ${orderNo}::bigint`;
    expect((await named()).filter(([, number]) => number === orderNo)).toEqual([]);
    expect((await countStock(sale.saleId)).redis).toMatchObject({ held: 6, sold: 0 });
  });

  it('[C8 E3] a sale with purchases on their way that no relay reads is read again', async () => {
    await retireSale(sale.saleId);
    expect((await reconcile({ isRepairing: false })).inFlight).toBe(2);
    expect(await readOpenSales()).not.toContain(sale.saleId);
    await reconcile();
    expect(await readOpenSales()).toContain(sale.saleId);
  });

  it('[C8] excess order: one that Redis knows nothing of takes its unit out of what is sold', async () => {
    const stray = forge(sale, sale.userIds[7] ?? '');
    await createOrders({ saleId: sale.saleId, orders: [stray] });
    await releaseStock({ saleId: sale.saleId, ...nth(3) });
    expect((await countStock(sale.saleId)).redis).toMatchObject({ available: 15, held: 5 });
    const found = await named();
    expect(found).toHaveLength(2);
    expect(found).toContainEqual(['excess_order', stray.orderNo, 'repaired']);
    expect(found).toContainEqual(['excess_order', nth(3).orderNo, 'repaired']);
    expect((await countStock(sale.saleId)).redis).toMatchObject({ available: 13, held: 7 });
    expect(await isVerified()).toBe(true);
  });

  it('[C8] excess order: where the units are sold to others it stays open until one comes back', async () => {
    sale = await createSaleFixture({ total: 2, users: 3 });
    orders = await buyForAll(sale, 2);
    await drainOutbox(sale.saleId);
    await releaseStock({ saleId: sale.saleId, ...nth(0) });
    const third = await buy(sale, sale.userIds[2] ?? '');
    await payFor(nth(0).orderNo);
    await confirmPaid([{ saleId: sale.saleId, orderNo: nth(0).orderNo }]);
    const letter = () =>
      db().deadLetter.findFirst({ where: { saleId: sale.saleId, consumer: 'settle-confirmed' } });
    expect(await letter()).toMatchObject({ messageId: nth(0).orderNo, resolution: null });
    expect(await named()).toEqual([['excess_order', nth(0).orderNo, 'open']]);
    expect((await letter())?.resolvedAt).toBeNull();
    await drainOutbox(sale.saleId);
    expect((await readStates(sale.saleId)).get(third.orderNo)?.endReason).toBe('sale_full');
    expect(await named()).toEqual([['excess_order', nth(0).orderNo, 'repaired']]);
    expect(await letter()).toMatchObject({ resolution: 'repaired', resolvedAt: expect.any(Date) });
    expect(await isVerified()).toBe(true);
  });

  it('[C8 J4] excess order: once Redis is loaded again, the report to staff that its units are gone is closed', async () => {
    sale = await createSaleFixture({ total: 2, users: 3 });
    const { saleId } = sale;
    orders = await buyForAll(sale, 2);
    await drainOutbox(saleId);
    await releaseStock({ saleId, ...nth(0) });
    await buy(sale, sale.userIds[2] ?? '');
    await payFor(nth(0).orderNo);
    await confirmPaid([{ saleId, orderNo: nth(0).orderNo }]);
    await stockRedis().del(keys.sale(saleId));
    await ensureStockLoaded(saleId);
    const resolutions = async () =>
      (await db().deadLetter.findMany({ where: { saleId, consumer: 'settle-confirmed' } })).map(
        ({ resolution }) => resolution,
      );
    expect(await named({ isRepairing: false })).toEqual([]);
    expect(await resolutions()).toEqual([null]);
    expect(await named()).toEqual([]);
    expect(await resolutions()).toEqual(['repaired']);
  });

  it('[C8 J4] not loaded: the sale is loaded', async () => {
    await stockRedis().del(keys.sale(sale.saleId));
    expect(await named()).toEqual([['not_loaded', null, 'repaired']]);
    expect(await isVerified()).toBe(true);
  });

  it.each<[string, Omit<Parameters<typeof configureStock>[0], 'saleId' | 'epoch'>, RegExp]>([
    ['a pause', { paused: true }, /^paused: Redis true, Postgres false$/],
    ['an end', { endsAt: Date.now() + 7_200_000 }, /^ends: Redis 2.*, Postgres 2/],
    ['a start and a limit', { startsAt: 5, limit: 3 }, /^starts: .*; units per user: Redis 3, Postgres 1$/],
    [
      'rate limits',
      { limits: { user: { algorithm: 'fixed-window', limit: 9, windowSec: 60 } } },
      /^rate limits: Redis f 9 60000 - 0 0 - 0 0, Postgres none$/,
    ],
    ['a reservation', { requiresReservation: true }, /^only who reserved: Redis true, Postgres false$/],
  ])(
    '[C8] other settings: %s that reached Redis and no commit is taken back, once and on record',
    async (_, given, detail) => {
      const { saleId, epoch } = sale;
      const before = await readSettings(saleId);
      await configureStock({ saleId, epoch, ...given });
      const found = await reconcile({ isRepairing: false });
      expect(found.differences).toMatchObject([
        { kind: 'settings', outcome: 'open', detail: expect.stringMatching(detail) },
      ]);
      expect(await named()).toEqual([['settings', null, 'repaired']]);
      expect(await readSettings(saleId)).toEqual(before);
      expect(await named()).toEqual([]);
      expect(await isVerified()).toBe(true);
    },
  );

  it('[C8] other settings: one that Redis does not hold any more is put back', async () => {
    const before = await readSettings(sale.saleId);
    await stockRedis().hdel(keys.sale(sale.saleId), 'startsAt');
    const [found] = (await reconcile({ isRepairing: false })).differences;
    expect(found?.detail).toMatch(/^starts: Redis nothing, Postgres 2/);
    expect(await named()).toEqual([['settings', null, 'repaired']]);
    expect(await readSettings(sale.saleId)).toEqual(before);
  });

  it('[C8] other settings: a sale that ended in one of the two is not opened again', async () => {
    const { saleId, epoch } = sale;
    await configureStock({ saleId, epoch, endsAt: Date.now() - 1_000 });
    expect(await named()).toEqual([['settings', null, 'reported']]);
    await closeStock({ saleId, epoch });
    expect((await reconcile({ isRepairing: false })).differences[0]?.detail).toBe(
      'Redis has ended it, Postgres has not',
    );
    expect(await named()).toEqual([['settings', null, 'repaired']]);
    const held = await readSettings(saleId);
    expect(await db().sale.findUniqueOrThrow({ where: { id: saleId } })).toMatchObject({
      status: 'closed',
      closedAt: new Date(held?.endsAt ?? 0),
    });
    expect(
      await db().auditEntry.findFirst({ where: { subjectId: saleId }, orderBy: { id: 'desc' } }),
    ).toMatchObject({ action: 'sale.close', actorId: 'system', after: { status: 'closed' } });
    expect(await named()).toEqual([]);
    expect(await isVerified()).toBe(true);

    const open = await createSaleFixture();
    sale = open;
    await db().$executeRaw`UPDATE sales SET status = 'closed', closed_at = now() WHERE id = ${open.saleId}`;
    expect(await named()).toEqual([['settings', null, 'repaired']]);
    expect(await readSettings(open.saleId)).toMatchObject({ closed: true });
  });

  it('[C8] other settings: a change that is being made meanwhile is not taken for one', async () => {
    const { saleId, epoch } = sale;
    await configureStock({ saleId, epoch, paused: true });
    const first = await lookAtSale(saleId);
    expect(first?.books.map(({ kind }) => kind)).toEqual(['settings']);
    // The change that had reached Redis first is committed now.
    await db().$executeRaw`UPDATE sales SET paused = true WHERE id = ${saleId}`;
    const second = first && (await lookAtSale(saleId, first));
    expect(first && second && lasting(first, second).books).toEqual([]);
    await syncSettings(saleId);
    expect(await readSettings(saleId)).toMatchObject({ paused: true });
  });

  it('[C8] counters of Postgres and payments that do not fit are named, and left to a person', async () => {
    await db().$executeRaw`UPDATE sales SET held_stock = held_stock + 1 WHERE id = ${sale.saleId}`;
    await db().$executeRaw`
      UPDATE payments SET status = 'succeeded', settled_at = now() WHERE order_id = ${nth(0).orderNo}::bigint`;
    const report = await reconcile();
    expect(report.ok).toBe(false);
    expect(report.differences.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['broken_counter', 'reported'],
      ['payment', 'reported'],
      ['provider_books', 'open'],
    ]);
    // Redis is not loaded from wrong counters either.
    await stockRedis().hincrby(keys.sale(sale.saleId), 'available', 1);
    expect(await named()).toContainEqual(['phantom_unit', null, 'reported']);
  });

  it('[C8 I5] money that nobody asks about is asked about: it pays its order, or goes back', async () => {
    const [exact, other] = [nth(0), nth(1)];
    await charge(exact.orderNo);
    await charge(other.orderNo, { amountMinor: 1 });
    await db().$executeRaw`
      UPDATE payments SET opened_at = now(), next_query_at = NULL
      WHERE order_id IN (${exact.orderNo}::bigint, ${other.orderNo}::bigint)`;
    const found = await reconcile({ isRepairing: false });
    expect(found.differences).toMatchObject([
      { kind: 'provider_books', outcome: 'open', detail: expect.stringContaining(exact.orderNo) },
    ]);
    expect(await named()).toEqual([['provider_books', null, 'repaired']]);
    expect(await askLatePayments()).toMatchObject({ applied: 2, failed: 0 });
    expect(await standOf(exact.orderNo)).toBe('paid, payment succeeded');
    expect(await standOf(other.orderNo)).toBe('cancelled, payment refund_due');
    await confirmPaid([{ saleId: sale.saleId, orderNo: exact.orderNo }]);
    expect(await named()).toEqual([]);
    expect(await isVerified()).toBe(true);
  });

  it('[C8] a provider that can’t be asked is named, and keeps nothing else from being put right', async () => {
    await charge(nth(1).orderNo);
    await db().$executeRaw`UPDATE payments SET opened_at = now() WHERE order_id = ${nth(1).orderNo}::bigint`;
    await cancelBehindItsBack(nth(0));
    const down = vi.spyOn(sandbox, 'queryStates').mockRejectedValue(new Error('no answer'));
    expect(await named()).toEqual([
      ['lost_release', nth(0).orderNo, 'repaired'],
      ['provider_books', null, 'open'],
    ]);
    down.mockRestore();
  });

  it('[C8 C7] a provider is asked once the stock is put right, and no transaction waits for its answer', async () => {
    await charge(nth(1).orderNo);
    await db().$executeRaw`UPDATE payments SET opened_at = now() WHERE order_id = ${nth(1).orderNo}::bigint`;
    await cancelBehindItsBack(nth(0));
    const before = await countStock(sale.saleId);
    const seen: object[] = [];
    const slow = vi.spyOn(sandbox, 'queryStates').mockImplementation(async () => {
      const [row] = await db().$queryRaw<{ open: number }[]>`
        SELECT count(*)::int AS open FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`;
      seen.push({ ...row, held: (await countStock(sale.saleId)).redis.held });
      return new Map();
    });
    await reconcile();
    slow.mockRestore();
    expect(seen[0]).toEqual({ open: 0, held: before.redis.held - 1 });
  });

  it('[C8 L1] a worker that is told to end waits for no difference, and keeps the sale from nobody', async () => {
    await cancelBehindItsBack(nth(0));
    const ending = { isRepairing: true, graceMs: 60_000, signal: AbortSignal.timeout(300) };
    await expect(reconcile(ending)).rejects.toThrow('aborted');
    expect(await named()).toEqual([['lost_release', nth(0).orderNo, 'repaired']]);
    expect(await reconcileOpenSales(AbortSignal.abort())).toBe(0);
  });

  it('[C8] what comes right by itself within the grace period is no difference', async () => {
    await cancelBehindItsBack(nth(0));
    const first = await lookAtSale(sale.saleId);
    expect(first?.orders.get(nth(0).orderNo)?.kind).toBe('lost_release');
    await releaseStock({ saleId: sale.saleId, ...nth(0) });
    const second = first && (await lookAtSale(sale.saleId, first));
    expect(first && second && lasting(first, second).orders.size).toBe(0);
  });

  it('[C8] is scheduled: one worker a minute repairs, and the last twenty reports are kept', async () => {
    await db()
      .$executeRaw`UPDATE sales SET closed_at = now() - interval '2 hours' WHERE id <> ${sale.saleId}`;
    await cancelBehindItsBack(nth(0));
    const counts = await Promise.all([reconcileOpenSales(), reconcileOpenSales()]);
    expect(counts[0] + counts[1]).toBeGreaterThanOrEqual(1);
    expect(await isVerified()).toBe(true);
    const scheduled = { saleId: sale.saleId, cause: 'schedule' };
    expect(await db().reconciliation.count({ where: scheduled })).toBe(1);
    await reconcileOpenSales();
    expect(await db().reconciliation.count({ where: scheduled })).toBe(1);
    for (let run = 0; run < 21; run += 1) await reconcile({ graceMs: 0 });
    expect(await db().reconciliation.count({ where: { saleId: sale.saleId } })).toBe(20);
  });
});

describe('how far it is', () => {
  it('[C8] is told to whoever may see the sale, stage by stage, and nothing when it is over', async () => {
    await cancelBehindItsBack(nth(0));
    const { merchantId: userId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
    const merchant = { userId, role: 'merchant' as const };
    const seen = new Map<string, ReconcileProgress>();
    const look = async () => {
      const result = await readReconciliation(merchant, sale.saleId);
      if (result?.progress) seen.set(result.progress.stage, result.progress);
      return result;
    };
    let isRunning = true;
    const running = reconcile({ graceMs: 4_000 }).finally(() => {
      isRunning = false;
    });
    while (isRunning) await look();
    expect((await running).repaired).toBe(1);
    expect([...seen.keys()]).toContain('waiting');
    for (const { done, total } of seen.values()) expect(done).toBeLessThanOrEqual(total);
    expect(await look()).toMatchObject({ progress: null, report: { repaired: 1 } });
    const stranger = { userId: 'user_other', role: 'merchant' as const };
    expect(await readReconciliation(stranger, sale.saleId)).toBeNull();
  });

  it('[C8] counts the purchases and the orders it has read', async () => {
    const told: [string, number, number][] = [];
    await lookAtSale(sale.saleId, undefined, (stage, done = 0, total = 0) => told.push([stage, done, total]));
    // Six purchases in Redis; four of them are written as orders.
    expect(told).toEqual([
      ['purchases', 6, 4],
      ['orders', 4, 4],
    ]);
    const { tell, end } = openProgress(sale.saleId);
    tell('purchases', 6, 4);
    const { saleId } = sale;
    await expect.poll(() => readProgress(saleId)).toEqual({ stage: 'purchases', done: 6, total: 6 });
    expect(await stockRedis().pttl(keys.reconcileProgress(saleId))).toBeGreaterThan(0);
    await end();
    expect(await readProgress(saleId)).toBeNull();
  });
});

describe('during a race', () => {
  it('[C8 C6] nothing is named and nothing repaired wrongly', async () => {
    sale = await createSaleFixture({ total: 150, users: 240 });
    const { saleId } = sale;
    const bought: AcceptedOrder[] = [];
    const reports: ReconcileReport[] = [];
    let isSelling = true;
    let isOpen = true;
    const shoppers = async () => {
      // Goes on until every shopper has bought and the race has been watched a few times.
      for (let at = 0; at < sale.userIds.length || reports.length < 3; at += 1) {
        const userId = sale.userIds[at % sale.userIds.length] ?? '';
        const order = await buy(sale, userId).catch(() => null);
        if (order) bought.push(order);
      }
      isSelling = false;
    };
    const backOffice = async () => {
      for (let at = 0; isSelling || at < bought.length; ) {
        await drainOutbox(saleId);
        const batch = bought.slice(at, at + 20).map(({ orderNo }) => orderNo);
        at += batch.length;
        const paid = batch.filter((_, index) => index % 2 === 0);
        for (const orderNo of paid) {
          await payFor(orderNo);
          await confirmPaid([{ saleId, orderNo }]);
        }
        const unpaid = batch.filter((orderNo) => !paid.includes(orderNo));
        await makeOverdue(unpaid);
        await releaseUnpaid(unpaid);
      }
      isOpen = false;
    };
    const observer = async () => {
      while (isOpen) reports.push(await reconcile({ graceMs: 1_000 }));
    };
    await Promise.all([shoppers(), backOffice(), observer()]);
    expect(reports.flatMap(({ differences }) => differences)).toEqual([]);
    await drainOutbox(saleId);
    expect(bought.length).toBeGreaterThan(100);
    expect(await isVerified()).toBe(true);
  });
});
