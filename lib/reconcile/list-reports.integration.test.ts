import { afterAll, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import type { DifferenceKind } from '@/lib/contract/words/reconcile';
import { closeDb, db } from '@/lib/db/client';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { buyForAll, createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { makeUser } from '@/test/support/make-sale';
import { listReconciled, listReports, readReport } from './list-reports';
import { reconcileSale } from './reconcile-sale';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Makes a sale with one lost release and one lost confirm. */
async function brokenSale() {
  const sale = await createSaleFixture({ users: 2 });
  const [unpaid, paid] = (await buyForAll(sale)) as [AcceptedOrder, AcceptedOrder];
  await drainOutbox(sale.saleId);
  expect(await payFor(paid.orderNo)).toBe('applied');
  await db().$transaction([
    db().$executeRaw`
      UPDATE orders SET status = 'cancelled', cancelled_at = now(), end_reason = 'expired', stock_settled_at = now()
      WHERE id = ${unpaid.orderNo}::bigint`,
    db().$executeRaw`UPDATE sales SET held_stock = held_stock - 1 WHERE id = ${sale.saleId}`,
  ]);
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  const merchant: Actor = { userId: merchantId, role: 'merchant' };
  const run = async (isRepairing = false, kinds?: DifferenceKind[]) => {
    const result = await reconcileSale(sale.saleId, { cause: 'demand', isRepairing, kinds, graceMs: 20 });
    if (result.status !== 'done') throw new Error(result.status);
    return result.report.differences.map(({ kind, outcome }) => `${kind} ${outcome}`).sort();
  };
  return { ...sale, merchant, run };
}

it('[C8] one kind of difference is repaired, the others stay as they are', async () => {
  const { run } = await brokenSale();
  expect(await run()).toEqual(['lost_confirm open', 'lost_release open']);
  expect(await run(true, ['phantom_unit'])).toEqual(['lost_confirm open', 'lost_release open']);
  expect(await run(true, ['lost_release'])).toEqual(['lost_confirm open', 'lost_release repaired']);
  expect(await run()).toEqual(['lost_confirm open']);
  expect(await run(true)).toEqual(['lost_confirm repaired']);
});

it('[C8 L4] kept reports are read page by page, the last of each sale too; by whom they concern', async () => {
  const [sale, other] = [await brokenSale(), await brokenSale()];
  for (const isRepairing of [false, true, false]) await sale.run(isRepairing);
  await other.run();
  const first = await listReports(sale.merchant, sale.saleId, { limit: 2 });
  if (first.status !== 'listed') throw new Error(first.status);
  const second = await listReports(sale.merchant, sale.saleId, { limit: 2, cursor: first.nextCursor ?? '' });
  if (second.status !== 'listed') throw new Error(second.status);
  const all = [...first.reports, ...second.reports];
  expect(all.map(({ found, repaired, ok }) => [found, repaired, ok])).toEqual([
    [0, 0, true],
    [2, 2, true],
    [2, 0, false],
  ]);
  expect(second.nextCursor).toBeNull();
  expect(first.reports[0]).not.toHaveProperty('differences');
  const oldest = all[2]?.reportId ?? '';
  expect((await readReport(sale.merchant, sale.saleId, oldest))?.differences).toHaveLength(2);

  for (const [saleId, reportId] of [
    [other.saleId, oldest],
    [sale.saleId, 'x'],
    ['sale_nowhere', oldest],
  ] as const)
    expect(await readReport(sale.merchant, saleId, reportId)).toBeNull();
  expect(await readReport(other.merchant, sale.saleId, oldest)).toBeNull();
  expect(await listReports(other.merchant, sale.saleId, { limit: 2 })).toEqual({ status: 'not_found' });
  expect(await listReports(sale.merchant, sale.saleId, { limit: 2, cursor: 'AAAA' })).toEqual({
    status: 'foreign_cursor',
  });

  const find = async (actor: Actor, state: 'all' | 'broken', saleId?: string) =>
    (await listReconciled(actor, { limit: 100 }, { state, saleId })).sales.map((each) => [
      each.saleId,
      each.last?.ok,
    ]);
  expect(await find(sale.merchant, 'all')).toEqual([[sale.saleId, true]]);
  expect(await find(sale.merchant, 'broken')).toEqual([]);
  expect(await find(other.merchant, 'broken')).toEqual([[other.saleId, false]]);
  expect(await find(sale.merchant, 'all', other.saleId)).toEqual([]);
  const admin = await makeUser('admin');
  expect(await find(admin, 'all')).toEqual(
    expect.arrayContaining([
      [sale.saleId, true],
      [other.saleId, false],
    ]),
  );
  const untouched = await createSaleFixture();
  expect(await find(admin, 'all', untouched.saleId)).toEqual([[untouched.saleId, undefined]]);
  const one = await listReconciled(admin, { limit: 1 }, { state: 'all' });
  const two = await listReconciled(admin, { limit: 1, cursor: one.nextCursor ?? '' }, { state: 'all' });
  expect((two.sales[0]?.saleId ?? '') < (one.sales[0]?.saleId ?? '')).toBe(true);
});
