import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eraseAccount } from '@/lib/account/erase-account';
import { blockSubjects } from '@/lib/block/block-subjects';
import { liftBlock } from '@/lib/block/lift-block';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { newId } from '@/lib/ids/new-id';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { noteMisbooked } from '@/lib/payment/note-misbooked';
import { findMisbooked } from '@/lib/payment/providers/find-misbooked';
import { sandbox } from '@/lib/payment/providers/sandbox/provider';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { sweep } from '@/lib/payment/sweep';
import { createOrderFixture, standOf, tellHistory } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import {
  buy,
  buyForAll,
  countStock,
  createSaleFixture,
  makeOverdue,
} from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { compensateOrders } from '@/lib/settlement/compensate-orders';
import { createOrders } from '@/lib/settlement/create-orders';
import { reacquireStock } from '@/lib/stock/reacquire-stock';
import { verifySale } from '@/lib/verify/verify-sale';
import { makeUser } from '@/test/support/make-sale';
import { discardDeadLetter } from './discard-dead-letter';
import { listDeadLetters } from './list-dead-letters';
import { retryDeadLetter, retryDeadLetters } from './retry-dead-letter';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});
beforeEach(async () => {
  await db().deadLetter.deleteMany();
  await db().outgoingMessage.deleteMany();
});

const merchantOf = async (saleId: string) => {
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  return { userId: merchantId, role: 'merchant' as const };
};
const onlyLetter = async () =>
  String((await db().deadLetter.findFirstOrThrow({ orderBy: { id: 'desc' } })).id);
const broken = async (saleId: string) =>
  (await verifySale(saleId, { settleMs: 200 }))?.invariants.filter(({ ok }) => !ok);

/**
 * Makes a dead letter of a purchase that could not become an order; its units are released, and the release is
 * recorded.
 */
async function givenUp(options: Parameters<typeof createSaleFixture>[0] = {}) {
  const sale = await createSaleFixture({ total: 1, users: 2, ...options });
  const [order] = await buyForAll(sale, 1);
  if (!order) throw new Error('one purchase expected');
  await compensateOrders({ saleId: sale.saleId, orders: [order] }, 'broken disk');
  return { ...sale, ...order, merchant: await merchantOf(sale.saleId), letter: await onlyLetter() };
}

async function deadLetterOfMessage(consumer: string, payload: object, saleId?: string) {
  await recordDeadLetter({ consumer, messageId: newId('m'), saleId, payload, error: 'x', attempts: 10 });
  return String((await db().deadLetter.findFirstOrThrow({ orderBy: { id: 'desc' } })).id);
}

describe('a purchase that could not be written', () => {
  it('[E6 I9] becomes an order after all: unit taken again, payable, and released if unpaid', async () => {
    const lost = await givenUp();
    expect(await countStock(lost.saleId)).toMatchObject({ redis: { available: 1, held: 0 } });
    expect(await retryDeadLetter(lost.merchant, lost.letter)).toMatchObject({
      status: 'retried',
      deadLetter: { resolution: 'retried', resolvedBy: lost.merchant.userId },
    });
    expect(await standOf(lost.orderNo)).toBe('pending_payment, payment pending');
    expect(await countStock(lost.saleId)).toEqual({
      redis: { available: 0, held: 1, sold: 0 },
      postgres: { held: 1, sold: 0 },
    });
    expect(await tellHistory(lost.orderNo)).toEqual([
      'accepted: - → queued by shopper',
      'failed: queued → failed by system',
      'revived: failed → pending_payment by merchant',
    ]);
    expect(await broken(lost.saleId)).toEqual([]);
    await makeOverdue([lost.orderNo]);
    await releaseUnpaid([lost.orderNo]);
    expect(await countStock(lost.saleId)).toMatchObject({ redis: { available: 1, held: 0, sold: 0 } });
  });

  it('[E6] five merchants at once make one order of it', async () => {
    const lost = await givenUp();
    const results = await Promise.all(
      Array.from({ length: 5 }, () => retryDeadLetter(lost.merchant, lost.letter)),
    );
    expect(results.filter(({ status }) => status === 'retried')).toHaveLength(1);
    expect(await standOf(lost.orderNo)).toBe('pending_payment, payment pending');
    expect((await countStock(lost.saleId)).redis).toEqual({ available: 0, held: 1, sold: 0 });
    expect(await payFor(lost.orderNo)).toBe('applied');
    expect(await broken(lost.saleId)).toEqual([]);
  });

  it('[E6] not if its unit is sold to somebody else; then it can be discarded, with a reason', async () => {
    const lost = await givenUp();
    await createOrders({ saleId: lost.saleId, orders: [await buy(lost, lost.userIds[1] ?? '')] });
    expect(await retryDeadLetter(lost.merchant, lost.letter)).toMatchObject({ status: 'not_retryable' });
    expect((await countStock(lost.saleId)).redis).toEqual({ available: 0, held: 1, sold: 0 });
    expect(await discardDeadLetter(lost.merchant, lost.letter, 'sold out')).toMatchObject({
      status: 'discarded',
      deadLetter: { resolution: 'discarded: sold out' },
    });
    expect(await retryDeadLetter(lost.merchant, lost.letter)).toMatchObject({ status: 'resolved' });
    expect(await discardDeadLetter(lost.merchant, lost.letter, 'again')).toMatchObject({
      status: 'resolved',
    });
    expect(await broken(lost.saleId)).toEqual([]);
  });

  it('[E6 C6] if Postgres refuses it, Redis gives the unit back', async () => {
    const lost = await givenUp();
    await db().$executeRaw`UPDATE sales SET sold_stock = 1 WHERE id = ${lost.saleId}`;
    expect(await retryDeadLetter(lost.merchant, lost.letter)).toMatchObject({ status: 'not_retryable' });
    expect((await countStock(lost.saleId)).redis).toEqual({ available: 1, held: 0, sold: 0 });
    expect(await db().deadLetter.count({ where: { resolvedAt: null } })).toBe(1);
  });

  it('[E6] not for who is blocked by now, nor for a deleted account; the unit stays free', async () => {
    const lost = await givenUp();
    const [userId = ''] = lost.userIds;
    const block = { kind: 'user' as const, value: userId, reason: 'resells', by: 'system', expiresAt: null };
    const [blocked] = await blockSubjects([block]);
    const refused = { status: 'not_retryable', why: 'its buyer is blocked or has deleted the account' };
    expect(await retryDeadLetter(lost.merchant, lost.letter)).toEqual(refused);
    if (blocked?.status !== 'blocked') throw new Error('not blocked');
    await liftBlock(blocked.block.id, 'system');
    await db().user.update({ where: { id: userId }, data: { bannedAt: new Date() } });
    await transaction((tx) => eraseAccount(tx, userId));
    expect(await retryDeadLetter(lost.merchant, lost.letter)).toEqual(refused);
    expect((await countStock(lost.saleId)).redis).toEqual({ available: 1, held: 0, sold: 0 });
  });

  it('[N3 C6] if the actor’s session ended meanwhile, Redis gives the unit back', async () => {
    const lost = await givenUp();
    const actor = { ...lost.merchant, session: { id: 'ended' } };
    await expect(retryDeadLetter(actor, lost.letter)).rejects.toThrow(NotAllowedError);
    expect((await countStock(lost.saleId)).redis).toEqual({ available: 1, held: 0, sold: 0 });
    expect(await retryDeadLetter(lost.merchant, lost.letter)).toMatchObject({ status: 'retried' });
  });

  it('[E6 C6] whoever dies half way leaves a hold that the sweep gives back', async () => {
    const lost = await givenUp();
    await reacquireStock({ ...lost, units: 1, as: 'held' });
    await db().$executeRaw`UPDATE dead_letters SET retried_at = now()`;
    await sweep();
    expect((await countStock(lost.saleId)).redis.held).toBe(1);
    await db().$executeRaw`
      UPDATE dead_letters
      SET created_at = now() - interval '4 minutes', released_at = now() - interval '3 minutes',
          retried_at = now() - interval '2 minutes'`;
    await sweep();
    expect((await countStock(lost.saleId)).redis).toEqual({ available: 1, held: 0, sold: 0 });
    expect(await broken(lost.saleId)).toEqual([]);
  });
});

describe('a message that kept failing', () => {
  it('[E6] goes out again with all its attempts', async () => {
    const order = await createOrderFixture();
    const payload = { orderNo: order.orderNo, saleId: order.saleId, kind: 'earned' };
    const id = await deadLetterOfMessage('points', payload, order.saleId);
    const merchant = await merchantOf(order.saleId);
    const results = await Promise.all([1, 2, 3].map(() => retryDeadLetter(merchant, id)));
    expect(results.filter(({ status }) => status === 'retried')).toHaveLength(1);
    expect(await db().outgoingMessage.findMany({ where: { topic: 'points' } })).toMatchObject([
      { attempts: 0, payload },
    ]);
  });

  it('[E6] all at once, or all of one consumer; what has nothing to send again stays', async () => {
    const { saleId } = await createSaleFixture();
    const admin = await makeUser('admin');
    const message = { orderNo: '1024', saleId, kind: 'earned' };
    for (const consumer of ['points', 'points', 'mail']) await deadLetterOfMessage(consumer, message, saleId);
    await deadLetterOfMessage('confirm-paid', { messages: [message, message] });
    await deadLetterOfMessage('settle-confirmed', { orderNo: '1024' }, saleId);
    expect(await retryDeadLetters(admin, { saleId: 'sale_nowhere' })).toEqual({
      retried: 0,
      notRetryable: 0,
      isMore: false,
      goOnAfter: null,
    });
    expect(await retryDeadLetters(admin, { consumer: 'mail', saleId })).toEqual({
      retried: 1,
      notRetryable: 0,
      isMore: false,
      goOnAfter: null,
    });
    expect(await retryDeadLetters(admin)).toEqual({
      retried: 3,
      notRetryable: 1,
      isMore: false,
      goOnAfter: null,
    });
    const topics = (await db().outgoingMessage.findMany({ orderBy: { id: 'asc' } })).map(
      ({ topic }) => topic,
    );
    expect(topics).toEqual(['mail', 'points', 'points', 'orders/paid', 'orders/paid']);
  });

  it('[E6] a thousand that have nothing to send again hide no younger one', async () => {
    const admin = await makeUser('admin');
    await db().deadLetter.createMany({
      data: Array.from({ length: 1_000 }, () => ({
        ...{ consumer: 'settle-confirmed', messageId: newId('m'), attempts: 10 },
        ...{ payload: { orderNo: '1024' }, error: 'x' },
      })),
    });
    await deadLetterOfMessage('points', { orderNo: '1024', saleId: 'sale_x', kind: 'earned' });
    const first = await retryDeadLetters(admin);
    expect(first).toEqual({ retried: 0, notRetryable: 1_000, isMore: true, goOnAfter: expect.any(String) });
    const second = await retryDeadLetters(admin, { after: first.goOnAfter ?? '' });
    expect(second).toEqual({ retried: 1, notRetryable: 0, isMore: false, goOnAfter: null });
  });
});

describe('a payment of which its provider has other books', () => {
  /** Makes a payment that is paid here, while the sandbox has sent the money back without telling us. */
  async function chargedBack() {
    const order = await createOrderFixture();
    const { orderNo, saleId, paymentId } = order;
    await payFor(orderNo);
    await db().sandboxPayment.update({ where: { paymentId }, data: { refundedAt: new Date() } });
    await noteMisbooked(await findMisbooked('sandbox', [paymentId]));
    return { ...order, merchant: await merchantOf(saleId), letter: await onlyLetter() };
  }

  it('[E6 I1] is compared again, and closed only if the two agree by now; no money moves', async () => {
    const { merchant, letter, orderNo, paymentId, saleId } = await chargedBack();
    expect(await retryDeadLetter(merchant, letter)).toEqual({
      status: 'not_retryable',
      why: `payment ${paymentId} is booked here as succeeded, 19.99 EUR; sandbox says refunded, 19.99 EUR`,
    });
    expect(await retryDeadLetters(merchant)).toEqual({
      retried: 0,
      notRetryable: 1,
      isMore: false,
      goOnAfter: null,
    });
    await db().sandboxPayment.update({ where: { paymentId }, data: { refundedAt: null } });
    expect(await retryDeadLetter(merchant, letter)).toMatchObject({ status: 'retried' });
    expect(await standOf(orderNo)).toBe('paid, payment succeeded');
    expect(await broken(saleId)).toEqual([]);
  });

  it('[E6 C8] is open again when the two differ again after they had agreed', async () => {
    const { merchant, letter, paymentId, saleId } = await chargedBack();
    await db().sandboxPayment.update({ where: { paymentId }, data: { refundedAt: null } });
    expect(await retryDeadLetter(merchant, letter)).toMatchObject({ status: 'retried' });
    await db().sandboxPayment.update({ where: { paymentId }, data: { refundedAt: new Date() } });
    expect(await broken(saleId)).toMatchObject([{ id: 8 }]);
    await noteMisbooked(await findMisbooked('sandbox', [paymentId]));
    expect(await onlyLetter()).toBe(letter);
  });

  it('[E6 C8] is as it is once somebody has closed it with a reason', async () => {
    const { merchant, letter, saleId } = await chargedBack();
    expect(await broken(saleId)).toMatchObject([{ id: 8 }]);
    expect(await discardDeadLetter(merchant, letter, 'charged back by the bank')).toMatchObject({
      status: 'discarded',
    });
    expect(await broken(saleId)).toEqual([]);
  });

  it('[E6] that can’t be read, or whose provider is down, stays open', async () => {
    const id = await deadLetterOfMessage('provider-books', { paymentId: 7 });
    expect(await retryDeadLetter(await makeUser('admin'), id)).toEqual({
      status: 'not_retryable',
      why: 'its payment cannot be read',
    });
    const { merchant, letter } = await chargedBack();
    // A failed fetch of a provider that keeps nothing here: no outage of ours.
    vi.spyOn(sandbox, 'isOurFault').mockReturnValueOnce(false);
    const down = Object.assign(new Error('down'), { cause: { code: 'ECONNREFUSED' } });
    vi.spyOn(sandbox, 'queryStates').mockRejectedValueOnce(down);
    expect(await retryDeadLetter(merchant, letter)).toEqual({
      status: 'not_retryable',
      why: 'sandbox could not be asked: down',
    });
    expect(await db().deadLetter.count({ where: { resolvedAt: null } })).toBe(2);
  });
});

it('[E6 L4] merchants see and touch only their own; pages neither repeat nor lose one', async () => {
  const { saleId } = await createSaleFixture();
  const [merchant, other, admin] = [
    await merchantOf(saleId),
    await makeUser('merchant'),
    await makeUser('admin'),
  ];
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift(await deadLetterOfMessage('points', { n: String(n) }, saleId));
  const noSale = await deadLetterOfMessage('release-unpaid', {});
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listDeadLetters(merchant, { cursor, limit: 2 }, { state: 'open' });
    seen.push(...(page?.deadLetters.map(({ id }) => id) ?? []));
    cursor = page?.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual(ids);
  const idsOf = async (...args: Parameters<typeof listDeadLetters>) =>
    (await listDeadLetters(...args))?.deadLetters.map(({ id }) => id);
  expect(await idsOf(other, { limit: 20 }, { state: 'all' })).toEqual([]);
  expect(await idsOf(admin, { limit: 20 }, { state: 'all' })).toEqual([noSale, ...ids]);
  expect(await idsOf(admin, { limit: 20 }, { state: 'all', saleId })).toEqual(ids);
  expect(await idsOf(other, { limit: 20 }, { state: 'all', saleId })).toEqual([]);
  expect(await idsOf(admin, { limit: 20 }, { state: 'all', consumer: 'release-unpaid' })).toEqual([noSale]);
  expect(await listDeadLetters(merchant, { limit: 1 }, { state: 'all' })).toMatchObject({ open: 5 });
  expect(await listDeadLetters(other, { limit: 1 }, { state: 'all' })).toMatchObject({ open: 0 });
  expect(await listDeadLetters(admin, { cursor: 'AAAA', limit: 2 }, { state: 'all' })).toBeNull();
  for (const id of [ids[0] ?? '', 'nonsense', '99999999']) {
    expect(await discardDeadLetter(other, id, 'x')).toEqual({ status: 'not_found' });
    expect(await retryDeadLetter(other, id)).toEqual({ status: 'not_found' });
  }
});
