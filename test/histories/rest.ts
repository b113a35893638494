import { expect } from 'vitest';
import { expectKept } from '@/inngest/functions/testing/expect-kept';
import { RELAYED_TOPICS } from '@/lib/contract/words/queue';
import { db } from '@/lib/db/client';
import { guardStock } from '@/lib/loading/guard-stock';
import { replayAccepted } from '@/lib/loading/replay-accepted';
import { applyPaymentEvent } from '@/lib/payment/apply-payment-event';
import { readStatements } from '@/lib/payment/read-statements';
import { releaseDue } from '@/lib/payment/release-unpaid';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { findSaleInfo, forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { loadingsOf } from '@/lib/slice/loadings';
import { readStock } from '@/lib/stock/read-stock';
import { verifyLines } from '@/lib/verify/verify-lines';
import { verifyLog } from '@/lib/verify/verify-log';
import { verifyProofs } from '@/lib/verify/verify-proofs';
import { eventually } from '@/test/support/eventually';
import { makeUser } from '@/test/support/make-sale';
import { drain } from '@/tools/chaos/drain';
import { askNow, REFUSED, reconcile, relay, runEvent, sweepLater } from './life';
import { type HistorySale, type Press, press, tokenFor, type World } from './world';

/** Each unit may go to everybody who waits for one, one after the other. */
const ROUNDS = 25;

export type Tend = (world: World) => Promise<unknown>;

/**
 * Lets all processes work without a fault until nothing is on its way: nobody else pays, so every order ends.
 * @throws Error with what is still open
 */
export async function comeToRest(world: World, tend?: Tend): Promise<void> {
  await guardStock();
  for (const sale of world.sales) await settle(sale);
  for (const ask of world.unanswered) await ask();
  world.unanswered.clear();
  let open: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await tend?.(world);
    for (const { saleId } of world.sales) await drainOutbox(saleId);
    await hearProvider(world);
    await db()
      .$executeRaw`UPDATE orders SET pay_by = now() - interval '1 minute' WHERE status = 'pending_payment'`;
    await releaseDue(world.sales.map(({ saleId }) => saleId));
    await relayAll(world);
    await sweepLater();
    if (world.isRedisWrong) for (const { saleId } of world.sales) await reconcile(saleId);
    open = (await Promise.all(world.sales.map(({ saleId }) => drain(saleId, () => 0, -1)))).flat();
    if (open.length === 0) return;
  }
  throw new Error(`has not come to rest: ${open.join(', ')}`);
}

async function settle({ saleId, merchant }: HistorySale): Promise<void> {
  // As if the lease of a process that died had run out.
  await stockRedis().del(keys.lockHolder(`reconcile:${saleId}`));
  await setSalePaused(merchant, saleId, false);
  await forgetSaleInfo(saleId);
  const info = await findSaleInfo(saleId);
  for (const { saleId: stockId, epoch } of info ? loadingsOf(info) : []) {
    await replayAccepted(stockId, epoch);
    // As if the time were over in which units are kept for purchases that were answered and lost.
    await stockRedis().hset(keys.sale(stockId), 'serveFrom', 0);
  }
}

async function hearProvider({ callbacks }: World): Promise<void> {
  for (const callback of callbacks) {
    // Every second callback never comes: the shop has to ask.
    if (!callback.isTold && callbacks.indexOf(callback) % 2 === 0)
      await applyPaymentEvent('sandbox', callback.event);
    callback.isTold = true;
  }
  await db().$executeRaw`UPDATE statement_marks SET claimed_at = now() - interval '1 hour'`;
  await readStatements();
  await askNow();
}

async function relayAll(world: World): Promise<void> {
  await db().$executeRaw`UPDATE outgoing_messages SET next_attempt_at = now() WHERE sent_at IS NULL`;
  // Mails, points and notices have consumers of their own, which change none of this.
  await db()
    .$executeRaw`UPDATE outgoing_messages SET sent_at = now() WHERE sent_at IS NULL AND topic <> ALL (${[...RELAYED_TOPICS]}::text[])`;
  while ((await relay(world)) === 'sent');
  for (const event of world.events) if (!event.isDone) await runEvent(event);
}

/** Expects that every promise was kept and every answer true, once all is at rest. */
export async function expectTrue({ sales, presses, isRedisWrong }: World): Promise<void> {
  for (const { saleId } of sales) {
    await expectKept(saleId);
    for (const verify of [verifyLog, verifyLines, verifyProofs])
      expect(await verify(saleId)).toMatchObject({ ok: true, detail: expect.any(String) });
    const { limitPerUser } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    await expectWithin(limitPerUser, [saleId]);
  }
  for (const one of presses) await expectAnswersTrue(one, isRedisWrong);
}

/** A shopper who was told "yes" has one order, or it is on record that it was given up. */
async function expectAnswersTrue(
  { sale, userId, jti, quantity, variant, told }: Press,
  isRedisWrong: boolean,
): Promise<void> {
  const { saleId } = sale;
  const orders = await db().order.findMany({ where: { saleId, jti } });
  const given = orders.map(({ id }) => String(id));
  expect(given.length, 'orders of one token').toBeLessThanOrEqual(1);
  for (const order of orders) expect(order).toMatchObject({ userId, quantity, variant });
  for (const { http, status, orderNo, code, campaignLimit } of told) {
    if (http === 202 && status === 'queued') {
      const letters = await db().deadLetter.findMany({ where: { saleId, orderNo: BigInt(orderNo ?? 0) } });
      const isWritten = given.includes(orderNo ?? '');
      expect(isWritten || letters.length > 0, `written ${given}, told ${JSON.stringify(told)}`).toBe(true);
      if (!isRedisWrong) expect(letters.filter(({ error }) => error !== REFUSED)).toEqual([]);
    }
    // Others than a campaign's leave room for one unit to whoever has bought none.
    if (code === 'LIMIT_REACHED' && quantity === 1 && campaignLimit === undefined)
      expect(await db().order.count({ where: { saleId, userId } }), code).toBeGreaterThan(0);
  }
}

/** Expects that nobody ever had more live units at once. Leaves out refunded orders: when one ended is not on record. */
export async function expectWithin(limit: number, saleIds: readonly string[]): Promise<void> {
  const above = await db().$queryRaw`
    SELECT o.user_id, o.id::text, sum(other.quantity)::int AS units FROM orders o
    JOIN orders other ON other.user_id = o.user_id AND other.sale_id = ANY (${[...saleIds]}::text[])
      AND other.accepted_at <= o.accepted_at AND coalesce(other.cancelled_at, 'infinity') > o.accepted_at
    WHERE o.sale_id = ANY (${[...saleIds]}::text[]) AND o.status IN ('paid', 'cancelled', 'pending_payment')
      AND other.status IN ('paid', 'cancelled', 'pending_payment')
    GROUP BY o.user_id, o.id HAVING sum(other.quantity) > ${limit}`;
  expect(above, `more than ${limit}`).toEqual([]);
}

/** Expects that a newcomer gets a unit, of a variant where the sale has some, if, and only if, one is free. */
export async function expectFreeUnitsSell(world: World, sale: HistorySale, variant = 0): Promise<void> {
  const stock = await readStock(sale.saleId);
  const free = (variant > 0 ? stock?.variants?.[variant - 1] : stock?.available) ?? 0;
  const { userId } = await makeUser();
  await eventually(async () =>
    expect(await press(world, sale, tokenFor(userId, sale), 1, variant)).toBe(
      free > 0 ? 'queued' : 'SOLD_OUT',
    ),
  );
}
