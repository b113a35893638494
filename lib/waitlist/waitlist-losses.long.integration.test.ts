import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { buy, makeOverdue, readStates } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { configureStock } from '@/lib/stock/configure-stock';
import { readBuyer } from '@/lib/stock/read-buyer';
import { readStock } from '@/lib/stock/read-stock';
import { releaseStock } from '@/lib/stock/release-stock';
import { restock } from '@/lib/stock/restock';
import { readPlace } from '@/lib/waitlist/records/read-place';
import { leaveWaitlist } from './leave-waitlist';
import { join, lose, loseAndLoad, press, serve, soldOut, tiersOf } from './testing/waitlist-fixture';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

describe('[M2] a waitlist whose Redis is lost', () => {
  it('outlives Redis: everybody keeps the place, and a unit that was given comes to the same person again', async () => {
    const sale = await soldOut();
    const { saleId, userIds } = sale;
    const [first = '', second = '', third = '', fourth = ''] = userIds;
    const bought = await buy(sale, first);
    await drainOutbox(saleId);
    const jti = newId('jti');
    await join(sale, second, jti);
    await join(sale, third);
    await makeOverdue([bought.orderNo]);
    await releaseUnpaid([bought.orderNo]);
    const given = await readPlace(saleId, second);
    expect(given).toMatchObject({ state: 'given' });
    // Its order had not been written yet.
    await lose(sale);
    expect(await readPlace(saleId, second)).toMatchObject({ state: 'given', orderNo: given?.orderNo });
    expect(await readPlace(saleId, third)).toMatchObject({ state: 'waiting', number: 2, ahead: 0 });
    expect(await join(sale, fourth)).toMatchObject({ status: 'joined', place: { number: 3 } });
    expect(await tiersOf(saleId)).toEqual({ available: 0, held: 1, sold: 0, total: 1 });
    await drainOutbox(saleId);
    await lose(sale);
    expect(await readBuyer(saleId, second)).toEqual([
      { jti, orderNo: given?.orderNo, quantity: 1, state: 'held' },
    ]);
    expect(await readPlace(saleId, third)).toMatchObject({ state: 'waiting', number: 2, ahead: 0 });
    expect(await readPlace(saleId, fourth)).toMatchObject({ state: 'waiting', number: 3, ahead: 1 });
  });

  it('gives nothing on right after Redis was lost, and lets nobody else buy: purchases that were answered come first', async () => {
    const sale = await soldOut({ total: 2 });
    const { saleId, userIds } = sale;
    const [first = '', second = '', third = '', fourth = ''] = userIds;
    await buy(sale, first);
    await buy(sale, second);
    await drainOutbox(saleId);
    await join(sale, third);
    const [lostOrder] = await readBuyer(saleId, second);
    await makeOverdue([lostOrder?.orderNo ?? '']);
    await releaseUnpaid([lostOrder?.orderNo ?? '']);
    const before = await readPlace(saleId, third);
    expect(before).toMatchObject({ state: 'given' });
    await loseAndLoad(sale);
    expect(await readPlace(saleId, third)).toMatchObject({ state: 'waiting', ahead: 0 });
    expect(await tiersOf(saleId)).toMatchObject({ available: 1 });
    expect(await press(sale, fourth)).toEqual({ status: 'sold_out', available: 0 });
    expect(await serve(sale)).toBe(0);
    await expect.poll(() => serve(sale), { interval: 200 }).toBe(1);
    expect(await readPlace(saleId, third)).toMatchObject({ state: 'given', orderNo: before?.orderNo });
  });

  it('tells nobody a place that the next loading would not know', async () => {
    const sale = await soldOut({ users: 40 });
    const { saleId, userIds } = sale;
    await buy(sale, userIds[0] as string);
    await drainOutbox(saleId);
    const [early, late] = [userIds.slice(1, 14), userIds.slice(14)];
    // A sale that is being loaded anew asks a page to come again.
    const joined = async (userId: string) => {
      const jti = newId('jti');
      for (;;) {
        const answer = await join(sale, userId, jti);
        if (answer.status !== 'unavailable') return answer;
      }
    };
    const answers = await Promise.all(early.map(joined));
    // Redis is lost while the others are on their way.
    const joining = late.map(joined);
    await lose(sale);
    answers.push(...(await Promise.all(joining)));
    await lose(sale);
    const numbers: number[] = [];
    for (const answer of answers) {
      if (!('place' in answer)) continue;
      const { number, userId } = answer.place;
      expect(await readPlace(saleId, userId)).toMatchObject({ number, state: 'waiting' });
      numbers.push(number);
    }
    expect(numbers.length).toBeGreaterThan(20);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('[C1] never leaves a unit free while somebody waits, never sells too many, passes nobody over, whatever happens in what order', async () => {
    const step = fc.record({
      what: fc.constantFrom('press', 'join', 'leave', 'release', 'confirm', 'restock', 'pause', 'lose'),
      who: fc.nat(5),
    });
    const histories = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const sale = await soldOut({ users: 6, total: 2 });
      const { saleId, userIds } = sale;
      const waiting: string[] = [];
      let paused = false;
      for (const { what, who } of steps) {
        const userId = userIds[who] as string;
        const epoch = (await findSaleInfo(saleId))?.epoch ?? 0;
        const live = (await readBuyer(saleId, userId)).find(({ state }) => state === 'held');
        if (what === 'press') await press(sale, userId);
        if (what === 'join') {
          const answer = await join(sale, userId);
          if (answer.status === 'joined') waiting.push(userId);
        }
        if (what === 'leave') {
          await leaveWaitlist(saleId, userId);
          const at = waiting.indexOf(userId);
          if (at >= 0) waiting.splice(at, 1);
        }
        if (what === 'release' && live) await releaseStock({ saleId, userId, orderNo: live.orderNo });
        if (what === 'restock') await restock({ saleId, epoch, delta: 1, requestId: newId('request') });
        if (what === 'pause') {
          paused = !paused;
          await db().sale.update({ where: { id: saleId }, data: { paused } });
          await configureStock({ saleId, epoch, paused });
        }
        if (what === 'restock')
          await db().sale.update({ where: { id: saleId }, data: { totalStock: { increment: 1 } } });
        if (what === 'lose') {
          await drainOutbox(saleId);
          for (const [orderNo, { status }] of await readStates(saleId)) {
            const purchase = (await Promise.all(userIds.map((id) => readBuyer(saleId, id)))).flat();
            const isReleased = purchase.some((one) => one.orderNo === orderNo && one.state === 'released');
            if (isReleased && status === 'pending_payment') {
              await makeOverdue([orderNo]);
              await releaseUnpaid([orderNo]);
            }
          }
          await lose(sale);
        }
        await serve(sale);
        const stock = await readStock(saleId);
        if (!stock) throw new Error('not loaded');
        expect(stock.available + stock.held + stock.sold).toBe(stock.total);
        // Places that got a unit stand before all that still wait.
        while (waiting.length > 0) {
          const place = await readPlace(saleId, waiting[0] as string);
          if (place?.state !== 'given') break;
          waiting.shift();
        }
        for (const [at, id] of waiting.entries())
          expect(await readPlace(saleId, id)).toMatchObject({ state: 'waiting', ahead: at });
        if (!paused && waiting.length > 0) expect(stock.available).toBe(0);
      }
    });
    await fc.assert(histories, { numRuns: 60 });
  });
});
