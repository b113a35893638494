import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import { reject } from '@/lib/approval/decide-approval';
import { requestApproval } from '@/lib/approval/request-approval';
import type { AdminOrder, OrderFilter } from '@/lib/contract/shapes/order';
import { parseCsv } from '@/lib/csv';
import { closeDb, db } from '@/lib/db/client';
import { encodeCursor } from '@/lib/http/cursor';
import { newId } from '@/lib/ids/new-id';
import { ORDER_EPOCH_MS } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { buyForAll, createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { createOrders } from '@/lib/settlement/create-orders';
import { makeUser } from '@/test/support/make-sale';
import { cases } from '@/test/support/random';
import { cancelManagedOrder } from './cancel-managed-order';
import { exportOrders } from './export-orders';
import { listAdminOrders } from './list-admin-orders';
import { readOrderDetail } from './read-order-detail';

type Sold = SaleFixture & { merchant: Actor; orderNos: string[] };

/** Makes a sale with a merchant of its own, and an order for each of its users. */
async function sell(users: number): Promise<Sold> {
  const sale = await createSaleFixture({ users });
  const orders = await buyForAll(sale);
  await createOrders({ saleId: sale.saleId, orders });
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  const merchant: Actor = { userId: merchantId, role: 'merchant' };
  return { ...sale, merchant, orderNos: orders.map(({ orderNo }) => orderNo) };
}

let ours: Sold;
let theirs: Sold;
let admin: Actor;

beforeAll(async () => {
  [ours, theirs, admin] = await Promise.all([sell(5), sell(2), makeUser('admin')]);
  await payFor(ours.orderNos[1] ?? '');
  await cancelManagedOrder(ours.merchant, ours.orderNos[2] ?? '', 'a test');
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

async function find(actor: Actor, filter: OrderFilter = {}, limit = 100): Promise<string[]> {
  const page = await listAdminOrders(actor, { limit }, filter);
  return (page?.orders ?? []).map(({ orderNo }) => orderNo);
}

const newestFirst = (orderNos: readonly string[]) =>
  [...orderNos].sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1));

describe('listAdminOrders', () => {
  it('[L3] shows merchants the orders of their own sales, newest first, and those who see all everybody’s', async () => {
    expect(await find(ours.merchant)).toEqual(newestFirst(ours.orderNos));
    expect(await find(theirs.merchant)).toEqual(newestFirst(theirs.orderNos));
    const all = newestFirst([...ours.orderNos, ...theirs.orderNos]);
    for (const role of ['support', 'auditor', 'operator', 'admin'] as const) {
      expect(await find({ userId: newId('user'), role })).toEqual(all);
    }
    expect(await find({ userId: ours.userIds[0] ?? '', role: 'shopper' })).toEqual([]);
  });

  it('[L3] tells who bought what for how much, and how it stands', async () => {
    const [orderNo = ''] = ours.orderNos.slice(1);
    const [order] = (await listAdminOrders(admin, { limit: 2 }, { orderNo }))?.orders ?? [];
    const userId = ours.userIds[1] ?? '';
    expect(order).toMatchObject({
      orderNo,
      saleId: ours.saleId,
      saleTitle: 'Lamp sale',
      userId,
      email: `${userId}@example.com`,
      quantity: 1,
      unitPriceMinor: 1999,
      amountMinor: 1999,
      currency: 'EUR',
      status: 'paid',
      paymentStatus: 'succeeded',
      endReason: null,
      cancelledAt: null,
    });
    expect(order?.paidAt).toBeGreaterThanOrEqual(order?.createdAt ?? Number.NaN);
  });

  it('[L3] finds by number, sale, status, user and e-mail address, and by all of them', async () => {
    const [first = '', paid = '', cancelled = ''] = ours.orderNos;
    const userId = ours.userIds[1] ?? '';
    expect(await find(admin, { orderNo: first })).toEqual([first]);
    expect(await find(admin, { saleId: ours.saleId })).toEqual(newestFirst(ours.orderNos));
    expect(await find(ours.merchant, { status: 'paid' })).toEqual([paid]);
    expect(await find(admin, { saleId: ours.saleId, status: 'cancelled' })).toEqual([cancelled]);
    expect(await find(admin, { user: userId })).toEqual([paid]);
    expect(await find(admin, { user: `${userId}@EXAMPLE.com` })).toEqual([paid]);
    const all = { saleId: ours.saleId, status: 'paid', user: userId, orderNo: paid } as const;
    expect(await find(admin, all)).toEqual([paid]);
    expect(await find(admin, { ...all, status: 'refunded' })).toEqual([]);
    expect(await find(admin, { ...all, saleId: theirs.saleId })).toEqual([]);
    expect(await find(admin, { ...all, orderNo: first })).toEqual([]);
  });

  it('[L3] finds by when it was bought', async () => {
    const orders = (await listAdminOrders(admin, { limit: 100 }, { saleId: ours.saleId }))?.orders ?? [];
    const atOf = ({ orderNo }: AdminOrder) => Number(BigInt(orderNo) >> 22n) + ORDER_EPOCH_MS;
    const moments = orders.map(atOf);
    const [from = 0, to = 0] = [Math.min(...moments), Math.max(...moments)];
    expect(await find(admin, { saleId: ours.saleId, from, to: to + 1 })).toHaveLength(5);
    expect(await find(admin, { saleId: ours.saleId, from: to + 1 })).toEqual([]);
    expect(await find(admin, { saleId: ours.saleId, to: from })).toEqual([]);
    expect(await find(admin, { user: ours.userIds[0] ?? '', to: from - 60_000 })).toEqual([]);
  });

  it('[L3] another merchant’s order is not there, however it is asked for', async () => {
    const [orderNo = ''] = ours.orderNos;
    const { userIds, saleId } = ours;
    for (const filter of [
      { orderNo },
      { saleId },
      { user: userIds[0] },
      { saleId, user: userIds[0], orderNo },
    ]) {
      expect(await find(theirs.merchant, filter), JSON.stringify(filter)).toEqual([]);
    }
    expect(await readOrderDetail(theirs.merchant, orderNo)).toBeNull();
  });

  it('[L3] pages without a gap or a repetition, and refuses foreign cursors', async () => {
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await listAdminOrders(ours.merchant, { cursor, limit: 2 }, {});
      seen.push(...(page?.orders.map(({ orderNo }) => orderNo) ?? []));
      if (!page?.nextCursor) break;
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(newestFirst(ours.orderNos));
    for (const foreign of [
      'nonsense',
      encodeCursor('-1'),
      encodeCursor('9'.repeat(30)),
      encodeCursor('1; DROP'),
    ]) {
      expect(await listAdminOrders(ours.merchant, { cursor: foreign, limit: 2 }, {}), foreign).toBeNull();
    }
  });

  it.each([
    [{ orderNo: 'abc' }],
    [{ orderNo: '0' }],
    [{ orderNo: '9'.repeat(40) }],
    [{ user: 'nobody@example.com' }],
    [{ user: "'; DROP TABLE orders; --" }],
    [{ saleId: 'no such sale' }],
    [{ from: 4_102_444_800_000 }],
    [{ to: 0 }],
  ] satisfies [OrderFilter][])('[L3] %j finds nothing, and breaks nothing', async (filter) => {
    expect(await find(admin, filter)).toEqual([]);
  });
});

describe('readOrderDetail', () => {
  it('[L3] tells all that is known of an order', async () => {
    const orderNo = ours.orderNos[1] ?? '';
    const userId = ours.userIds[1] ?? '';
    await db().deadLetter.create({
      data: {
        consumer: 'mail',
        messageId: newId('msg'),
        orderNo: BigInt(orderNo),
        payload: {},
        error: 'bounced',
      },
    });
    const order = await readOrderDetail(ours.merchant, orderNo);
    expect(order).toMatchObject({
      orderNo,
      userId,
      email: `${userId}@example.com`,
      name: 'Test',
      status: 'paid',
      payment: { status: 'succeeded', amountMinor: 1999 },
      paymentEvents: [{ type: 'payment.succeeded', outcome: 'applied' }],
      deadLetters: [{ consumer: 'mail', error: 'bounced' }],
      // Five of ten were bought; one of them is paid and one was cancelled.
      saleStock: { total: 10 },
    });
    expect((order?.saleStock.held ?? 0) + (order?.saleStock.sold ?? 0)).toBe(4);
    expect(order?.history.map(({ cause }) => cause)).toEqual(
      expect.arrayContaining(['accepted', 'written', 'paid']),
    );
    expect(order?.people).toEqual({ [userId]: `${userId}@example.com` });
    expect(order?.enteredAt).toBeLessThanOrEqual(order?.acceptedAt ?? Number.NaN);
    expect(await readOrderDetail(admin, 'nonsense')).toBeNull();
    expect(await readOrderDetail(admin, '77')).toBeNull();
  });

  it('[L3] says to all who see the order that a refund of it waits, until that is decided or has run out', async () => {
    const orderNo = ours.orderNos[3] ?? '';
    const refund = {
      kind: 'refund' as const,
      saleId: ours.saleId,
      orderNo,
      returnStock: true,
      reason: 'scratched',
      amountMinor: 1999,
      currency: 'EUR',
    };
    const waits = async (actor: Actor) => (await readOrderDetail(actor, orderNo))?.waitingRefund;
    expect(await waits(ours.merchant)).toBeNull();
    const asked = await requestApproval(ours.merchant, refund);
    const { userId: requestedBy } = ours.merchant;
    const { email } = await db().user.findUniqueOrThrow({ where: { id: requestedBy } });
    for (const actor of [ours.merchant, admin, { userId: newId('user'), role: 'support' } as const]) {
      expect(await waits(actor)).toMatchObject({
        approvalId: asked.approvalId,
        reason: 'scratched',
        requestedBy,
        requestedByEmail: email,
      });
    }
    expect((await readOrderDetail(ours.merchant, ours.orderNos[1] ?? ''))?.waitingRefund).toBeNull();
    await reject(admin, asked.approvalId, 'not scratched');
    expect(await waits(ours.merchant)).toBeNull();
    const again = await requestApproval(ours.merchant, refund);
    expect(await waits(admin)).toMatchObject({ approvalId: again.approvalId });
    await db().approval.update({ where: { id: again.approvalId }, data: { expiresAt: new Date() } });
    expect(await waits(admin)).toBeNull();
  });
});

const COUNT = cases(25_000);

function rowsOf(text: string) {
  const parsed = parseCsv(text);
  return parsed.status === 'parsed' ? parsed.rows : [];
}

describe('exportOrders', () => {
  let big: SaleFixture;
  beforeAll(async () => {
    big = await createSaleFixture({ users: 4 });
    const { saleId, userIds } = big;
    const shards = userIds.map(shardOf);
    await db().$executeRaw`
      INSERT INTO orders (shard, id, sale_id, user_id, quantity, unit_price_minor, amount_minor, currency, status,
                          is_only_one, jti, epoch, accepted_at, pay_by, paid_at)
      SELECT u.shard, ((${Date.now() - ORDER_EPOCH_MS}::bigint + n) << 22) | u.shard, ${saleId}, u.id, 1, 1999, 1999, 'EUR',
             CASE n % 3 WHEN 1 THEN 'paid' ELSE 'pending_payment' END,
             false, 'jti_' || n, 1, now(), now() + interval '1 day', CASE n % 3 WHEN 1 THEN now() END
      FROM generate_series(1, ${COUNT}::int) AS n
      JOIN unnest(${userIds}::text[], ${shards}::smallint[]) WITH ORDINALITY AS u (id, shard, nr) ON u.nr = n % 4 + 1`;
  });

  it('[L3] hands out tens of thousands of orders, each once, newest first, never more than 1,000 at a time', async () => {
    let [lines, pieces, most] = [0, 0, 0];
    let before = 2n ** 63n;
    for await (const piece of exportOrders(admin, { saleId: big.saleId })) {
      const rows = rowsOf(piece);
      pieces += 1;
      if (pieces === 1) {
        expect(rows[0]?.cells.slice(0, 2)).toEqual(['order_no', 'sale_id']);
        continue;
      }
      most = Math.max(most, rows.length);
      lines += rows.length;
      for (const { cells } of rows) {
        const orderNo = BigInt(cells[0] ?? '0');
        if (orderNo >= before) throw new Error(`${orderNo} is not below ${before}`);
        before = orderNo;
      }
    }
    expect({ lines, pieces, most }).toEqual({ lines: COUNT, pieces: COUNT / 1_000 + 1, most: 1_000 });
  });

  it('[L3] ends when nobody takes more, and holds its filter over many pieces', async () => {
    const pieces = exportOrders(admin, { saleId: big.saleId });
    await pieces.next();
    await pieces.next();
    expect((await pieces.return(undefined)).done).toBe(true);
    const paid = exportOrders(admin, { saleId: big.saleId, status: 'paid', user: big.userIds[0] });
    let lines = -1;
    for await (const piece of paid) lines += rowsOf(piece).length;
    const wanted = { saleId: big.saleId, status: 'paid', userId: big.userIds[0] };
    expect(lines).toBe(await db().order.count({ where: wanted }));
    expect(lines).toBeGreaterThan(1_000);
  });

  it('[L3] gives merchants their own, and disarms what a spreadsheet would compute', async () => {
    await db().sale.update({ where: { id: ours.saleId }, data: { title: '=1+1, "lamps"' } });
    let text = '';
    for await (const piece of exportOrders(ours.merchant, {})) text += piece;
    expect(text).toContain(`"'=1+1, ""lamps"""`);
    expect(
      rowsOf(text)
        .slice(1)
        .map(({ cells }) => cells[0]),
    ).toEqual(newestFirst(ours.orderNos));
    // A spreadsheet keeps 15 digits of a number.
    expect(text).toContain(`\n"=""${ours.orderNos[0]}""",${ours.saleId},`);
    expect(text).toContain(',1,19.99,19.99,EUR,');
    let none = '';
    for await (const piece of exportOrders(theirs.merchant, { saleId: ours.saleId })) none += piece;
    expect(rowsOf(none)).toHaveLength(1);
  });
});

describe('listAdminOrders among many sales', () => {
  afterAll(() => db().$executeRaw`DELETE FROM sales WHERE slug LIKE 'one-of-many-%'`);

  it('[L3] finds the same orders, newest first, and nobody else’s', async () => {
    const [ofMerchant, ofAdmin] = [await find(ours.merchant), await find(admin)];
    await db().$executeRaw`
      INSERT INTO sales (id, product_id, merchant_id, slug, title, price_minor, currency, total_stock, limit_per_user,
                         starts_at, ends_at, entry_opens_at, payment_window_sec, status, epoch, gate)
      SELECT 'sale_many_' || n, product_id, merchant_id, 'one-of-many-' || n, title, price_minor, currency, total_stock,
             limit_per_user, starts_at, ends_at, entry_opens_at, payment_window_sec, 'draft', 0, gate
      FROM sales, generate_series(1, 1000) AS n WHERE id = ${ours.saleId}`;
    expect(ofMerchant).toEqual(newestFirst(ours.orderNos));
    expect(await find(ours.merchant)).toEqual(ofMerchant);
    expect(await find(admin)).toEqual(ofAdmin);
    expect(await find(theirs.merchant)).toEqual(newestFirst(theirs.orderNos));
    const paged: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await listAdminOrders(ours.merchant, { cursor, limit: 2 }, {});
      paged.push(...(page?.orders ?? []).map(({ orderNo }) => orderNo));
      if (!page?.nextCursor) break;
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(ofMerchant);
  });
});
