import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import { addBlock } from '@/lib/block/admin/add-block';
import { importBlocks } from '@/lib/block/admin/import-blocks';
import { liftAdminBlock } from '@/lib/block/admin/lift-admin-block';
import type { AuditFilter } from '@/lib/contract/shapes/audit';
import { newRule } from '@/lib/contract/shapes/risk';
import { parseCsv } from '@/lib/csv';
import { closeDb, db } from '@/lib/db/client';
import { discardDeadLetter } from '@/lib/dead-letter/discard-dead-letter';
import { retryDeadLetter, retryDeadLetters } from '@/lib/dead-letter/retry-dead-letter';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { newId } from '@/lib/ids/new-id';
import { cancelManagedOrder } from '@/lib/order/admin/cancel-managed-order';
import { changeOrderPrice } from '@/lib/order/admin/change-order-price';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { createProduct } from '@/lib/product/admin/create-product';
import { editProduct } from '@/lib/product/admin/edit-product';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { reconcileOnDemand } from '@/lib/reconcile/reconcile-on-demand';
import { closeRedis } from '@/lib/redis/client';
import { createRiskRule, deleteRiskRule, editRiskRule } from '@/lib/risk/admin/change-risk-rule';
import { releaseRiskHit } from '@/lib/risk/admin/release-risk-hit';
import { changeLimits } from '@/lib/sale/admin/change-limits';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { createSale } from '@/lib/sale/admin/create-sale';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import { restockSale } from '@/lib/sale/admin/restock-sale';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { exportAudit } from './export-audit';
import { listAudit } from './list-audit';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Returns what was recorded since `from`, oldest first, as [action, before, after]. */
async function recordedBy({ userId }: Actor, subjectId?: string) {
  const rows = await db().auditEntry.findMany({
    where: { actorId: userId, subjectId },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ action, before, after }) => [action, before, after]);
}

const orderOf = async () => {
  const order = await createOrderFixture();
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: order.saleId } });
  return { ...order, merchant: { userId: merchantId, role: 'merchant' } as const };
};

async function newLetter(consumer: string, saleId?: string): Promise<string> {
  const payload = { kind: 'earned', saleId: saleId ?? '', orderNo: '1' };
  await recordDeadLetter({ consumer, messageId: newId('m'), saleId, payload, error: 'x', attempts: 9 });
  return String((await db().deadLetter.findFirstOrThrow({ orderBy: { id: 'desc' } })).id);
}

const rule = newRule.parse({
  name: 'Many refusals',
  state: 'disabled',
  definition: {
    metric: 'purchase_refusals',
    subject: 'user',
    windowSec: 60,
    comparison: 'above',
    threshold: 5,
    action: { kind: 'block', forSec: 60 },
  },
});

describe('the audit log', () => {
  it('[L4] has what was done to a sale, with what was before and after, and nothing that changed nothing', async () => {
    const { sale, merchant } = await makeSale({ totalStock: 10 });
    const { saleId } = sale;
    await publishSale(merchant, saleId);
    await setSalePaused(merchant, saleId, true);
    await setSalePaused(merchant, saleId, true);
    await setSalePaused(merchant, saleId, false);
    await restockSale(merchant, saleId, 5, { reason: 'found more' });
    await restockSale(merchant, saleId, -50);
    const limits = { user: { algorithm: 'fixed-window', limit: 1, windowSec: 10 } } as const;
    await changeLimits(merchant, saleId, limits);
    await reconcileOnDemand(merchant, saleId, true);
    await closeSale(merchant, saleId);
    await closeSale(merchant, saleId);
    const [created, ...rest] = await recordedBy(merchant, saleId);
    expect(created).toMatchObject(['sale.create', null, { totalStock: 10, status: 'draft', limits: null }]);
    expect(JSON.stringify(created)).not.toContain('gate');
    expect(rest).toEqual([
      ['sale.publish', { status: 'draft' }, { status: 'published' }],
      ['sale.pause', { paused: false }, { paused: true }],
      ['sale.resume', { paused: true }, { paused: false }],
      ['sale.restock', { totalStock: 10 }, { totalStock: 15 }],
      ['sale.change_limits', { limits: null }, { limits }],
      ['sale.repair', { differences: 0 }, { differences: 0 }],
      [
        'sale.close',
        { status: 'published', endsAt: sale.endsAt },
        { status: 'closed', endsAt: expect.any(Number) },
      ],
    ]);
    const { entries } = (await listAudit({ limit: 20 }, { action: 'sale.restock' })) ?? { entries: [] };
    expect(entries[0]).toMatchObject({ reason: 'found more', subjectKind: 'sale', actorRole: 'merchant' });
  });

  it('[L4] has what was done to a product', async () => {
    const merchant = await makeUser('merchant');
    const made = await createProduct(merchant, { slug: `p-${Date.now()}`, name: 'Lamp', description: '' });
    if (made.status !== 'created') throw new Error(made.status);
    const { productId } = made.product;
    await editProduct(merchant, productId, { version: 1, name: 'Lantern' });
    await editProduct(merchant, productId, { version: 1, name: 'Late' });
    expect(await recordedBy(merchant)).toEqual([
      ['product.create', null, expect.objectContaining({ name: 'Lamp' })],
      ['product.edit', { name: 'Lamp' }, { name: 'Lantern' }],
    ]);
  });

  it('[L4] has what was done to orders and dead letters', async () => {
    const [cancelled, refunded] = [await orderOf(), await orderOf()];
    await changeOrderPrice(cancelled.merchant, cancelled.orderNo, { priceMinor: 1500, version: 1 });
    await changeOrderPrice(cancelled.merchant, cancelled.orderNo, { priceMinor: 1000, version: 1 });
    for (const _ of [1, 2]) await cancelManagedOrder(cancelled.merchant, cancelled.orderNo, 'no stock');
    await payFor(refunded.orderNo);
    const refund = { reason: 'scratched', returnStock: true };
    for (const _ of [1, 2]) await refundOrder(refunded.merchant, refunded.orderNo, refund);
    expect(await recordedBy(cancelled.merchant)).toEqual([
      [
        'order.change_price',
        { priceMinor: 1999, amountMinor: 1999 },
        { priceMinor: 1500, amountMinor: 1500 },
      ],
      ['order.cancel', { status: 'pending_payment' }, { status: 'cancelled' }],
    ]);
    expect(await recordedBy(refunded.merchant)).toEqual([
      [
        'order.refund',
        { status: 'paid' },
        { status: 'refunded', amountMinor: 1999, currency: 'EUR', quantity: 1, returnStock: true },
      ],
    ]);

    const operator = await makeUser('operator');
    const [tried, dropped] = [await newLetter('points'), await newLetter('mail')];
    for (const _ of [1, 2]) await retryDeadLetter(operator, tried);
    for (const _ of [1, 2]) await discardDeadLetter(operator, dropped, 'too old');
    expect(await recordedBy(operator)).toMatchObject([
      ['dead_letter.retry', { state: 'open', consumer: 'points' }, { state: 'retried' }],
      ['dead_letter.discard', { state: 'open', consumer: 'mail' }, { state: 'discarded' }],
    ]);
  });

  it('[L4] has what was done about risk', async () => {
    const operator = await makeUser('operator');
    const made = await createRiskRule(operator, rule);
    if (made.status !== 'created') throw new Error(made.status);
    const { ruleId } = made.rule;
    await editRiskRule(operator, ruleId, { version: 1, state: 'dry_run' });
    await editRiskRule(operator, ruleId, { version: 1, state: 'enabled' });
    const { id } = await db().riskHit.create({
      data: {
        ruleId,
        ruleVersion: 2,
        kind: 'user',
        value: 'user_x',
        period: 1n,
        counters: {},
        action: rule.definition.action,
        dryRun: true,
      },
    });
    for (const _ of [1, 2]) await releaseRiskHit(operator, String(id));
    await deleteRiskRule(operator, ruleId, 2);
    expect(await recordedBy(operator)).toMatchObject([
      ['risk.create_rule', null, { name: 'Many refusals', state: 'disabled' }],
      ['risk.edit_rule', { state: 'disabled' }, { state: 'dry_run' }],
      ['risk.release_hit', { released: false, value: 'user_x' }, { released: true }],
      ['risk.delete_rule', { name: 'Many refusals', state: 'dry_run' }, null],
    ]);

    const blocker = await makeUser('operator');
    const block = { kind: 'ip' as const, value: '203.0.113.9', reason: 'bot' };
    const until = Date.now() + 60_000;
    for (const expiresAt of [until, until, until + 1]) await addBlock(blocker, { ...block, expiresAt });
    const { id: blockId } = await db().block.findFirstOrThrow({ where: { liftedAt: null } });
    for (const _ of [1, 2]) await liftAdminBlock(blocker, String(blockId));
    const csv = 'kind,value,reason\ndevice,d1,x\ndevice,d2,x\nnonsense,d3,x\n';
    for (const _ of [1, 2]) await importBlocks(blocker, csv);
    expect(await recordedBy(blocker)).toMatchObject([
      ['block.add', null, { expiresAt: until, reason: 'bot' }],
      ['block.add', { expiresAt: until }, { expiresAt: until + 1 }],
      ['block.lift', { expiresAt: until + 1 }, null],
      ['block.import', null, { lines: 3, changed: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    ]);
  });

  it('[L4] is searched by actor, action, subject and time, and paged', async () => {
    const merchant = await makeUser('merchant');
    const slug = (n: number) => `q-${n}-${Date.now()}`;
    for (const n of [1, 2, 3])
      await createProduct(merchant, { slug: slug(n), name: `N${n}`, description: '' });
    const find = async (filter: AuditFilter, cursor?: string, limit = 20) =>
      listAudit({ cursor, limit }, filter);
    const mine = await find({ actor: merchant.userId });
    expect(mine?.entries.map(({ after }) => after)).toMatchObject([
      { name: 'N3' },
      { name: 'N2' },
      { name: 'N1' },
    ]);
    const email = `${merchant.userId}@example.com`;
    expect(mine?.entries[0]).toMatchObject({ actorEmail: email, actorRole: 'merchant' });
    expect((await find({ actor: email.toUpperCase() }))?.entries).toEqual(mine?.entries);
    expect(await find({ actor: 'nobody@example.com' })).toEqual({ entries: [], nextCursor: null });
    const [last] = mine?.entries ?? [];
    expect((await find({ subjectId: last?.subjectId }))?.entries).toEqual([last]);
    expect((await find({ actor: email, action: 'product.' }))?.entries).toHaveLength(3);
    for (const action of ['sale.', '%', 'product_', '\\'])
      expect((await find({ actor: email, action }))?.entries, action).toEqual([]);
    const at = last?.at ?? 0;
    const from = await find({ actor: email, from: at });
    const to = await find({ actor: email, to: at });
    expect(from?.entries[0]).toEqual(last);
    expect([...(from?.entries ?? []), ...(to?.entries ?? [])]).toHaveLength(3);
    const first = await find({ actor: email }, undefined, 2);
    const second = await find({ actor: email }, first?.nextCursor ?? '', 2);
    expect([...(first?.entries ?? []), ...(second?.entries ?? [])]).toEqual(mine?.entries);
    expect(second?.nextCursor).toBeNull();
    expect(await find({}, Buffer.from('x').toString('base64url'))).toBeNull();
  });

  it('[L4] is exported as CSV that a spreadsheet computes nothing of', async () => {
    const merchant = await makeUser('merchant');
    const name = '=1+1,"x"\nline';
    await createProduct(merchant, { slug: `csv-${Date.now()}`, name, description: '' });
    const operator = await makeUser('operator');
    await discardDeadLetter(operator, await newLetter('mail'), '=HYPERLINK("x")');
    const textOf = (filter: AuditFilter) => text(Readable.from(exportAudit(filter)));
    const parsed = parseCsv(await textOf({ actor: merchant.userId }));
    const rows = parsed.status === 'parsed' ? parsed.rows : [];
    expect(rows[0]?.cells.slice(0, 3)).toEqual(['id', 'at', 'actor_id']);
    expect(rows).toHaveLength(2);
    expect(JSON.parse(rows[1]?.cells[9] ?? '')).toMatchObject({ name });
    expect(await textOf({ actor: operator.userId })).toContain(`"'=HYPERLINK(""x"")"`);
  });
});

describe('support and auditors', () => {
  it.each(['support', 'auditor', 'shopper'] as const)(
    '[L4] as %s change nothing, whatever asks the verbs',
    async (role) => {
      const actor = await makeUser(role);
      const order = await orderOf();
      const { saleId, orderNo } = order;
      const letter = await newLetter('points', saleId);
      const { productId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
      const stand = () =>
        Promise.all([
          db().sale.findUniqueOrThrow({ where: { id: saleId } }),
          db().order.findMany(),
          db().deadLetter.findMany(),
          db().block.count(),
          db().riskRule.count(),
          db().auditEntry.count(),
        ]);
      const before = await stand();
      const sale = { title: 'x', priceMinor: 1, currency: 'EUR', totalStock: 1, limitPerUser: 1 };
      const times = { startsAt: 1, endsAt: 2, entryOpensAt: 1, paymentWindowSec: 900, minLevel: 0 };
      const input = { ...sale, ...times, productId } as never;
      const results = [
        await publishSale(actor, saleId),
        await setSalePaused(actor, saleId, true),
        await restockSale(actor, saleId, 1),
        await restockSale(actor, saleId, -1),
        await changeLimits(actor, saleId, null),
        await closeSale(actor, saleId),
        await reconcileOnDemand(actor, saleId, true),
        await editProduct(actor, productId, { version: 1, name: 'x' }),
        await changeOrderPrice(actor, orderNo, { priceMinor: 1, version: 1 }),
        await cancelManagedOrder(actor, orderNo, 'x'),
        await refundOrder(actor, orderNo, { reason: 'x', returnStock: true }),
        await retryDeadLetter(actor, letter),
        await discardDeadLetter(actor, letter, 'x'),
      ];
      expect(results.map(({ status }) => status)).toEqual(results.map(() => 'not_found'));
      expect(await createSale(actor, input)).toEqual({ status: 'product_not_found' });
      const product = { slug: 'x', name: 'x', description: '' };
      for (const attempt of [() => createProduct(actor, product), () => retryDeadLetters(actor)])
        await expect(attempt()).rejects.toThrow(NotAllowedError);
      for (const attempt of [
        async () => addBlock(actor, { kind: 'device', value: 'x', reason: 'x' }),
        async () => importBlocks(actor, ''),
        async () => liftAdminBlock(actor, '1'),
        async () => createRiskRule(actor, rule),
        async () => editRiskRule(actor, 'x', { version: 1, state: 'disabled' }),
        async () => deleteRiskRule(actor, 'x', 1),
        async () => releaseRiskHit(actor, '1'),
      ])
        await expect(attempt()).rejects.toThrow(`a ${role} may not`);
      expect(await stand()).toEqual(before);
    },
  );
});
