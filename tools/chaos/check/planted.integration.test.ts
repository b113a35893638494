import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { buy, createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { createOrders } from '@/lib/settlement/create-orders';
import { createSplitSale } from '@/lib/slice/testing/split-sale';
import { Ledger, type PurchaseEntry } from '../load/ledger';
import { compareBooks } from './compare-books';
import { readBooks } from './read-books';
import { readTrail } from './read-trail';

// Shows that the checker can fail: each test breaks one promise behind the product's back.
const STOCK = 10;
const startsAt = Date.now() - 60_000;
let sale: SaleFixture;
let ledger: Ledger;
let bought: AcceptedOrder[];

function accept({ orderNo, userId, jti, quantity }: AcceptedOrder, replay = false): void {
  const at = Date.now();
  ledger.purchases.push({
    askedAt: at,
    answeredAt: at,
    web: 'web-1',
    userId,
    jti,
    quantity,
    outcome: { kind: 'accepted', orderNo, replay },
  });
}

/** Makes four orders of one unit, all accepted and paid, and the ledger that belongs to them. */
beforeEach(async () => {
  sale = await createSaleFixture({ total: STOCK, users: 4, limit: 2 });
  ledger = new Ledger();
  bought = [];
  for (const userId of sale.userIds) bought.push(await buy(sale, userId));
  await createOrders({ saleId: sale.saleId, orders: bought });
  await stockRedis().del(keys.outbox(sale.saleId));
  for (const order of bought) {
    accept(order);
    accept(order, true);
    const { orderNo } = order;
    ledger.charges.set(`pay_${orderNo}`, {
      paymentId: `pay_${orderNo}`,
      orderNo,
      amountMinor: 1999,
      currency: 'EUR',
    });
    await payFor(orderNo);
    await confirmPaid([{ orderNo, saleId: sale.saleId }]);
    ledger.statuses.push({ askedAt: Date.now(), answeredAt: Date.now(), orderNo, status: 'paid' });
  }
});
afterAll(() => Promise.all([closeDb(), closeRedis()]));

async function rules(): Promise<string[]> {
  const books = await readBooks(sale.saleId);
  const facts = { stock: STOCK, limitPerUser: 2, startsAt, redisLostAt: [] };
  return [...new Set(compareBooks({ ledger, books, facts }).map(({ rule }) => rule))].sort();
}
const first = () => bought[0] as AcceptedOrder;
const id = () => first().orderNo;

describe('the checker', () => {
  it('[J4] has nothing to say of a sound sale', async () => {
    expect(await rules()).toEqual([]);
  });

  it('[J4 M10] notices a slice that has more units than it was dealt, though the sum is right', async () => {
    const { saleId, stocks } = await createSplitSale({ total: STOCK, slices: 2 });
    const rulesOf = async () => {
      const facts = { stock: STOCK, limitPerUser: 1, startsAt, redisLostAt: [] };
      const found = compareBooks({ ledger: new Ledger(), books: await readBooks(saleId), facts });
      return found.map(({ rule }) => rule);
    };
    expect(await rulesOf()).toEqual([]);
    for (const [slice, units] of [1, -1].entries())
      for (const tier of ['total', 'available'])
        await stockRedis().hincrby(keys.sale(stocks[slice] as string), tier, units);
    expect(await rulesOf()).toEqual(['slices agree']);
  });

  it('[J4] notices an order that was deleted, and an accepted purchase that is nowhere', async () => {
    await db().$executeRaw`DELETE FROM payment_events WHERE payment_id = ${`pay_${id()}`}`;
    await db().$executeRaw`DELETE FROM payments WHERE order_id = ${id()}::bigint`;
    await db().$executeRaw`DELETE FROM orders WHERE id = ${id()}::bigint`;
    expect(await rules()).toEqual(['accepted is found', 'answers come true', 'books agree', 'money']);
  });

  it('[J4] takes a purchase for compensated only if that is on record', async () => {
    const lost = { ...first(), orderNo: '77777777777777777', jti: newId('jti') };
    accept(lost);
    expect(await rules()).toEqual(['accepted is found']);
    const letter = (releasedAt: Date | null) =>
      db().deadLetter.upsert({
        where: { consumer_messageId: { consumer: 'create-orders', messageId: lost.orderNo } },
        create: {
          consumer: 'create-orders',
          messageId: lost.orderNo,
          saleId: sale.saleId,
          releasedAt,
          orderNo: BigInt(lost.orderNo),
          payload: {},
          error: 'x',
        },
        update: { releasedAt },
      });
    await letter(null);
    expect(await rules()).toEqual(['accepted is found']);
    await letter(new Date());
    expect(await rules()).toEqual([]);
  });

  it('[J4] notices two orders of one token, and an answer 404 to somebody who was accepted', async () => {
    accept({ ...first(), orderNo: bought[1]?.orderNo ?? '' });
    expect(await rules()).toContain('one order per token');
    ledger.purchases.pop();
    ledger.statuses.push({ askedAt: Date.now(), answeredAt: Date.now(), orderNo: id(), status: 'unknown' });
    expect(await rules()).toEqual(['accepted is found']);
  });

  it('[J4] notices a user above the limit', async () => {
    await db().$executeRaw`
      UPDATE orders SET quantity = 3, amount_minor = 3 * unit_price_minor WHERE id = ${id()}::bigint`;
    expect(await rules()).toContain('limit per user');
  });

  it('[J4] notices more units sold than there were', async () => {
    const books = await readBooks(sale.saleId);
    const facts = { stock: 3, limitPerUser: 2, startsAt, redisLostAt: [] };
    const found = compareBooks({ ledger, books: { ...books, sale: { ...books.sale, total: 3 } }, facts });
    expect(found.map(({ rule }) => rule)).toContain('never oversold');
  });

  it('[J4 F5] notices a payment applied twice, money kept for nothing, sent back or other than was taken, and a payment nobody made', async () => {
    const paymentId = `pay_${id()}`;
    await db().$executeRaw`
      INSERT INTO payment_events (provider, webhook_id, payment_id, type, payload, outcome)
      VALUES ('sandbox', ${newId('msg')}, ${paymentId}, 'payment.succeeded', '{}', 'applied')`;
    expect(await rules()).toEqual(['money']);
    await db().$executeRaw`DELETE FROM payment_events WHERE payment_id = ${paymentId}`;
    expect(await rules()).toEqual([]);

    const charge = ledger.charges.get(paymentId);
    ledger.charges.delete(paymentId);
    expect(await rules()).toEqual(['money']);
    if (charge) ledger.charges.set(paymentId, charge);
    await db().$executeRaw`UPDATE payments SET status = 'refund_due' WHERE id = ${paymentId}`;
    expect(await rules()).toEqual(['money']);
    await db().$executeRaw`UPDATE payments SET status = 'succeeded' WHERE id = ${paymentId}`;
    expect(await rules()).toEqual([]);

    await db().$executeRaw`UPDATE sandbox_payments SET refunded_at = now() WHERE payment_id = ${paymentId}`;
    expect(await rules()).toEqual(['money']);
    await db().$executeRaw`UPDATE sandbox_payments SET refunded_at = NULL WHERE payment_id = ${paymentId}`;
    if (charge) ledger.charges.set(paymentId, { ...charge, amountMinor: 1_998, isWrong: true });
    expect(await rules()).toEqual(['money']);
  });

  it('[J4] notices stock that is neither sold nor on sale, and a restock that got lost', async () => {
    await stockRedis().hincrby(keys.sale(sale.saleId), 'available', -1);
    expect(await rules()).toEqual(['books agree']);
    await stockRedis().hincrby(keys.sale(sale.saleId), 'available', 1);
    const at = Date.now();
    const act = { askedAt: at, answeredAt: at, act: 'restock', delta: 5, detail: '' } as const;
    ledger.merchant.push({ ...act, result: 'unknown' });
    expect(await rules()).toEqual([]);
    ledger.merchant.push({ ...act, result: 'done' });
    expect(await rules()).toEqual(['restocks']);
  });

  it('[J4] notices a sale made while the sale was paused, and a raw error', async () => {
    const at = Date.now() + 1_000;
    const pause = {
      askedAt: at,
      answeredAt: at,
      act: 'pause',
      delta: 0,
      result: 'done',
      detail: '',
    } as const;
    ledger.merchant.push(pause);
    expect(await rules()).toEqual([]);
    const entry = ledger.purchases.find(({ jti }) => jti === first().jti);
    if (entry) Object.assign(entry, { askedAt: at + 1, answeredAt: at + 2 });
    expect(await rules()).toEqual(['paused sells nothing']);
    ledger.merchant.pop();
    const outcome = { kind: 'refused', httpStatus: 500, code: 'INTERNAL' } as const;
    if (entry) ledger.purchases.push({ ...entry, outcome });
    expect(await rules()).toEqual(['answers of the contract']);
  });

  it('[A4 J4] notices a sale made before the start, and one refused as too early after it', async () => {
    const early = {
      ...(ledger.purchases[0] as PurchaseEntry),
      askedAt: startsAt - 20,
      answeredAt: startsAt - 10,
    };
    ledger.purchases.push(early);
    expect(await rules()).toEqual(['starts on time']);
    ledger.purchases.pop();
    const outcome = { kind: 'refused', httpStatus: 409, code: 'NOT_STARTED' } as const;
    ledger.purchases.push({ ...early, outcome });
    expect(await rules()).toEqual([]);
    ledger.purchases.push({ ...early, outcome, askedAt: startsAt + 200, answeredAt: startsAt + 210 });
    expect(await rules()).toEqual(['starts on time']);
  });

  it('[J4] tells the whole story of an order', async () => {
    const trail = (await readTrail(sale.saleId, id(), ledger)).join('\n');
    expect(trail).toContain('"replay":true');
    expect(trail).toMatch(/buyer record {2}user_\w+: .*,s/);
    expect(trail).toMatch(new RegExp(`order {2}\\{.*"id": ?${id()}`));
    expect(trail).toMatch(/payment event .*succeeded/);
    expect(trail).toMatch(/dead letter {2}nothing/);
  });
});
