import { afterAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { issueOrderNo, releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { topicsOf } from '@/lib/purchase/testing/order-fixture';
import { buy, createSaleFixture, makeOverdue, readStates } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { configureStock } from '@/lib/stock/configure-stock';
import { readBuyer } from '@/lib/stock/read-buyer';
import { releaseStock } from '@/lib/stock/release-stock';
import { restock } from '@/lib/stock/restock';
import { takeBackStock } from '@/lib/stock/take-back-stock';
import { leaveInRedis } from '@/lib/waitlist/records/leave-in-redis';
import { readPlace } from '@/lib/waitlist/records/read-place';
import { enlist } from './enlist';
import { serveWaitlist } from './giving/serve-waitlist';
import { leaveWaitlist } from './leave-waitlist';
import { settleWaitlist } from './tend-waitlists';
import { join, lose, press, serve, soldOut, tiersOf } from './testing/waitlist-fixture';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

describe('[M2] a waitlist', () => {
  it('gives a released unit to the next in the same step: an accepted purchase with the token it was joined with', async () => {
    const sale = await soldOut();
    const { saleId, userIds } = sale;
    const [first = '', second = '', third = ''] = userIds;
    const bought = await buy(sale, first);
    const jti = newId('jti');
    expect(await join(sale, second, jti)).toMatchObject({ status: 'joined', ahead: 0 });
    expect(await join(sale, third)).toMatchObject({ status: 'joined', ahead: 1 });
    expect(await join(sale, second)).toMatchObject({
      status: 'waiting',
      ahead: 0,
      place: { number: 1, jti },
    });

    await drainOutbox(saleId);
    await makeOverdue([bought.orderNo]);
    await releaseUnpaid([bought.orderNo]);
    expect(await tiersOf(saleId)).toEqual({ available: 0, held: 1, sold: 0, total: 1 });
    const place = await readPlace(saleId, second);
    expect(place).toMatchObject({ state: 'given', ahead: null, waiting: 1 });
    expect(await readBuyer(saleId, second)).toEqual([
      { jti, orderNo: place?.orderNo, quantity: 1, state: 'held' },
    ]);
    // Pressing with that token is answered with the same order; nobody who presses gets ahead of those who wait.
    expect(await press(sale, second, jti)).toMatchObject({ status: 'replayed', orderNo: place?.orderNo });
    expect(await press(sale, first)).toMatchObject({ status: 'sold_out' });
    expect(await drainOutbox(saleId)).toBe(1);
    expect((await readStates(saleId)).get(place?.orderNo ?? '')).toMatchObject({ status: 'pending_payment' });
    // A repeated release changes nothing.
    await releaseStock({ saleId, userId: first, orderNo: bought.orderNo });
    await serve(sale);
    expect(await readPlace(saleId, third)).toMatchObject({ state: 'waiting', ahead: 0 });
  });

  it('gives on what is not paid in time, in turn, each with a time to pay of its own', async () => {
    const sale = await soldOut({ paymentWindowSec: 60 });
    const { saleId, userIds } = sale;
    const bought = await buy(sale, userIds[0] as string);
    for (const userId of userIds.slice(1, 4)) await join(sale, userId);
    let orderNo = bought.orderNo;
    for (const userId of userIds.slice(1, 4)) {
      await drainOutbox(saleId);
      await makeOverdue([orderNo]);
      await releaseUnpaid([orderNo]);
      const place = await readPlace(saleId, userId);
      expect(place).toMatchObject({ state: 'given' });
      orderNo = place?.orderNo ?? '';
    }
    await drainOutbox(saleId);
    const order = await db().order.findFirstOrThrow({ where: { saleId, status: 'pending_payment' } });
    expect(String(order.id)).toBe(orderNo);
    expect(order.payBy.getTime()).toBeGreaterThan(Date.now() + 50_000);
    // A shopper who let a unit go may wait again, behind the others.
    expect(await join(sale, userIds[1])).toMatchObject({ status: 'joined', ahead: 0 });
    await releaseStock({ saleId, userId: userIds[3] as string, orderNo });
    await serve(sale);
    expect(await readPlace(saleId, userIds[1] as string)).toMatchObject({ state: 'given' });
  });

  it('gives what is refunded and what is added, as far as somebody waits', async () => {
    const sale = await soldOut();
    const { saleId, userIds, epoch } = sale;
    const bought = await buy(sale, userIds[0] as string);
    for (const userId of userIds.slice(1, 4)) await join(sale, userId);
    await takeBackStock({ saleId, userId: userIds[0] as string, orderNo: bought.orderNo }, true);
    await serve(sale);
    await restock({ saleId, epoch, delta: 5, requestId: newId('request') });
    await serve(sale);
    expect(await tiersOf(saleId)).toMatchObject({ total: 6, available: 3, held: 3 });
    for (const userId of userIds.slice(1, 4))
      expect(await readPlace(saleId, userId)).toMatchObject({ state: 'given' });
    expect(await join(sale, userIds[4])).toEqual({ status: 'available', units: 3 });
  });

  it('gives nothing while the sale is paused, all at once afterwards, and nothing any more once it is over', async () => {
    const sale = await soldOut();
    const { saleId, userIds, epoch } = sale;
    const bought = await buy(sale, userIds[0] as string);
    await join(sale, userIds[1]);
    await configureStock({ saleId, epoch, paused: true });
    await releaseStock({ saleId, userId: userIds[0] as string, orderNo: bought.orderNo });
    expect(await serve(sale)).toBe(0);
    expect(await readPlace(saleId, userIds[1] as string)).toMatchObject({ state: 'waiting' });
    await configureStock({ saleId, epoch, paused: false });
    await serve(sale);
    const place = await readPlace(saleId, userIds[1] as string);
    expect(place).toMatchObject({ state: 'given' });
    await join(sale, userIds[2]);
    await configureStock({ saleId, epoch, endsAt: Date.now() - 1_000 });
    await releaseStock({ saleId, userId: userIds[1] as string, orderNo: place?.orderNo ?? '' });
    await serve(sale);
    expect(await readPlace(saleId, userIds[2] as string)).toMatchObject({ state: 'waiting' });
    expect(await tiersOf(saleId)).toMatchObject({ available: 1 });
    expect(await join(sale, userIds[3])).toEqual({ status: 'ended' });
  });

  it('tells who has nothing, but has bought as often as one person may, from who has a unit', async () => {
    const sale = await soldOut();
    const [often = '', other = ''] = sale.userIds;
    for (let times = 0; times < 20; times += 1)
      await releaseStock({ ...(await buy(sale, often)), userId: often, saleId: sale.saleId });
    await buy(sale, other);
    expect(await join(sale, often)).toEqual({ status: 'too_often' });
  });

  it('takes nobody who may not buy, whose token has bought, or when it is closed; and a sale without one takes nobody', async () => {
    const sale = await soldOut();
    const { saleId, userIds, epoch } = sale;
    const [first = '', second = ''] = userIds;
    const bought = await buy(sale, first);
    expect(await join(sale, first)).toEqual({ status: 'already_bought' });
    expect(await join(sale, first, bought.jti)).toEqual({ status: 'token_used' });
    await configureStock({ saleId, epoch, isWaitlistOpen: false });
    expect(await join(sale, second)).toEqual({ status: 'closed' });
    await configureStock({ saleId, epoch, isWaitlistOpen: true });
    expect(await join(sale, second)).toMatchObject({ status: 'joined' });
    const other = await createSaleFixture({ total: 1 });
    await buy(other, other.userIds[0] as string);
    expect(await join(other, other.userIds[1])).toEqual({ status: 'no_waitlist' });
  });

  it('fails nobody because an account that joins at the same moment is gone', async () => {
    const sale = await soldOut();
    const [first = '', second = '', third = ''] = sale.userIds;
    await buy(sale, first);
    const joined = await Promise.all([second, newId('user'), third].map((userId) => join(sale, userId)));
    expect(joined.map(({ status }) => status)).toEqual(['joined', 'unavailable', 'joined']);
  });

  it('is left for good, also by whom Redis forgot meanwhile', async () => {
    const sale = await soldOut();
    const { saleId, userIds } = sale;
    const [first = '', second = '', third = ''] = userIds;
    const bought = await buy(sale, first);
    await drainOutbox(saleId);
    await join(sale, second);
    await join(sale, third);
    await stockRedis().unlink(keys.waitlist(saleId), keys.places(saleId));
    await leaveWaitlist(saleId, second);
    await lose(sale);
    expect(await readPlace(saleId, second)).toBeNull();
    await releaseStock({ saleId, userId: first, orderNo: bought.orderNo });
    await serve(sale);
    expect(await readPlace(saleId, third)).toMatchObject({ state: 'given' });
    expect(await readBuyer(saleId, second)).toEqual([]);
  });

  it('is not left by whom a unit came to before: the order is still on its way, and its shopper is told of it', async () => {
    const sale = await soldOut();
    const { saleId, userIds } = sale;
    const [first = '', second = ''] = userIds;
    const bought = await buy(sale, first);
    await drainOutbox(saleId);
    await join(sale, second);
    await releaseStock({ saleId, userId: first, orderNo: bought.orderNo });
    await serve(sale);
    const place = await readPlace(saleId, second);
    expect(place).toMatchObject({ state: 'given' });
    await leaveWaitlist(saleId, second);
    await drainOutbox(saleId);
    expect(await settleWaitlist(saleId)).toBe(1);
    const topics = await topicsOf(place?.orderNo ?? '');
    expect(topics).toEqual(['in-app waitlist_given', 'mail waitlist_given']);
  });

  it('passes over nobody who joins again for a second unit while the order of the first is on its way', async () => {
    const sale = await soldOut({ limit: 2 });
    const { saleId, userIds } = sale;
    const [first = '', second = ''] = userIds;
    const bought = await buy(sale, first);
    await drainOutbox(saleId);
    await join(sale, second);
    await makeOverdue([bought.orderNo]);
    await releaseUnpaid([bought.orderNo]);
    const given = await readPlace(saleId, second);
    expect(await join(sale, second)).toMatchObject({ status: 'joined' });
    expect(await settleWaitlist(saleId)).toBe(0);
    await drainOutbox(saleId);
    expect(await settleWaitlist(saleId)).toBe(1);
    const topics = await topicsOf(given?.orderNo ?? '');
    expect(topics).toEqual(['in-app waitlist_given', 'mail waitlist_given']);
    expect(await readPlace(saleId, second)).toMatchObject({ state: 'waiting', number: 2 });
  });

  it('is left also by a request that broke off between Redis and Postgres, but no later place with it', async () => {
    const sale = await soldOut({ users: 3 });
    const { saleId, userIds } = sale;
    const [first = '', second = '', third = ''] = userIds;
    const bought = await buy(sale, first);
    await drainOutbox(saleId);
    await join(sale, second);
    await join(sale, third);
    await leaveInRedis(saleId, second);
    await join(sale, second);
    await releaseStock({ saleId, userId: first, orderNo: bought.orderNo });
    await serve(sale);
    await settleWaitlist(saleId);
    const left = async () =>
      (await db().waitlistEntry.findMany({ where: { saleId }, orderBy: { number: 'asc' } })).map(
        ({ userId, leftAt }) => ({ userId, hasLeft: leftAt !== null }),
      );
    const expected = [
      { userId: second, hasLeft: true },
      { userId: third, hasLeft: false },
      { userId: second, hasLeft: false },
    ];
    expect(await left()).toEqual(expected);
    await settleWaitlist(saleId);
    expect(await left()).toEqual(expected);
    expect(await readPlace(saleId, second)).toMatchObject({ state: 'waiting', number: 3 });
  });

  it.each(['script', 'lock'] as const)(
    'is filled in a given order, also before the start, and nobody gets ahead of it then (strategy %s)',
    async (strategy) => {
      const sale = await soldOut({ total: 3, users: 5, strategy });
      const { saleId, userIds, epoch } = sale;
      await configureStock({ saleId, epoch, startsAt: Date.now() + 60_000, endsAt: Date.now() + 120_000 });
      const people = await Promise.all(
        userIds
          .slice(0, 4)
          .map(async (userId) => ({ userId, jti: newId('jti'), orderNo: await issueOrderNo(userId) })),
      );
      expect(await enlist(saleId, people)).toEqual({ enlisted: 4, given: 0 });
      expect(await enlist(saleId, people)).toEqual({ enlisted: 4, given: 0 });
      // The script alone: no configuring, which would serve.
      await stockRedis().hset(keys.sale(saleId), 'startsAt', Date.now() - 1_000);
      const rules = (await stockRedis().hget(keys.sale(saleId), 'rules')) ?? '';
      await stockRedis().hset(keys.sale(saleId), 'rules', rules.replace(/^\d+/, String(Date.now() - 1_000)));
      expect(await press(sale, userIds[4])).toEqual({ status: 'sold_out', available: 0 });
      expect(await serveWaitlist({ saleId, epoch })).toBe(3);
      for (const [at, { userId, jti, orderNo }] of people.entries()) {
        if (at < 3)
          expect(await readBuyer(saleId, userId)).toEqual([{ jti, orderNo, quantity: 1, state: 'held' }]);
        else expect(await readPlace(saleId, userId)).toMatchObject({ state: 'waiting', ahead: 0 });
      }
      expect(await enlist(saleId, people)).toEqual({ enlisted: 4, given: 0 });
      await leaveWaitlist(saleId, userIds[3] as string);
      expect(await enlist(saleId, people)).toEqual({ enlisted: 3, given: 0 });
      expect(await readPlace(saleId, userIds[3] as string)).toBeNull();
      await restock({ saleId, epoch, delta: 1, requestId: newId('request') });
      await serve(sale);
      expect(await press(sale, userIds[4])).toMatchObject({ status: 'accepted' });
    },
  );

  it('takes thousands in a given order, and the same ones once', async () => {
    const count = 2_500;
    const sale = await soldOut({ users: count, total: 1_200 });
    const { saleId, userIds } = sale;
    const people = userIds.map((userId, at) => ({
      userId,
      jti: newId('jti'),
      orderNo: String(10_000_000_000 + at),
    }));
    expect(await enlist(saleId, people)).toEqual({ enlisted: count, given: 1_200 });
    expect(await enlist(saleId, people)).toEqual({ enlisted: count, given: 0 });
    expect(await readPlace(saleId, userIds[1_199] as string)).toMatchObject({
      state: 'given',
      number: 1_200,
    });
    expect(await readPlace(saleId, userIds[1_200] as string)).toMatchObject({ state: 'waiting', ahead: 0 });
    expect(await readPlace(saleId, userIds.at(-1) as string)).toMatchObject({ ahead: 1_299, number: count });
    await expect(enlist('sale_of_nobody', people)).rejects.toThrow('no sale');
    await expect(enlist(saleId, [{ userId: 'a b', jti: 'j', orderNo: '1' }])).rejects.toThrow(TypeError);
  });

  it('[I3] tells whoever got a unit once, in the shop and by mail, and notes who was passed over', async () => {
    const sale = await soldOut({ users: 5 });
    const { saleId, userIds, epoch } = sale;
    const bought = await buy(sale, userIds[0] as string);
    for (const userId of userIds.slice(1, 4)) await join(sale, userId);
    await drainOutbox(saleId);
    // The second in line gets one by another way: late money was kept.
    await stockRedis().hset(keys.buyers(saleId), userIds[2] as string, 'jti_late,123456,1,s');
    await stockRedis().hincrby(keys.sale(saleId), 'total', 1);
    await stockRedis().hincrby(keys.sale(saleId), 'sold', 1);
    await releaseStock({ saleId, userId: userIds[0] as string, orderNo: bought.orderNo });
    await serve(sale);
    await restock({ saleId, epoch, delta: 1, requestId: newId('request') });
    await serve(sale);
    expect(await readPlace(saleId, userIds[2] as string)).toMatchObject({ state: 'passed_over' });
    const orderNos = await Promise.all(
      [1, 3].map(async (at) => (await readPlace(saleId, userIds[at] as string))?.orderNo ?? ''),
    );
    // Not before the order is there.
    expect(await settleWaitlist(saleId)).toBe(0);
    await db().sale.update({ where: { id: saleId }, data: { totalStock: 5 } });
    await drainOutbox(saleId);
    const all = await Promise.all([settleWaitlist(saleId), settleWaitlist(saleId)]);
    expect(all.reduce((sum, count) => sum + count)).toBe(2);
    const messages = await db().$queryRaw<{ topic: string; order_no: string }[]>`
      SELECT topic, payload->>'orderNo' AS order_no FROM outgoing_messages
      WHERE payload->>'kind' = 'waitlist_given' AND payload->>'saleId' = ${saleId} ORDER BY 2, 1`;
    expect(messages).toEqual(
      orderNos.toSorted().flatMap((order_no) => ['in-app', 'mail'].map((topic) => ({ topic, order_no }))),
    );
    const entries = await db().waitlistEntry.findMany({ where: { saleId }, orderBy: { number: 'asc' } });
    expect(entries.map(({ givenAt, passedAt }) => [givenAt !== null, passedAt !== null])).toEqual([
      [true, false],
      [false, true],
      [true, false],
    ]);
  });
});
