import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { releaseOrderNos } from '@/lib/order/issue-order-no';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { configureStock } from '@/lib/stock/configure-stock';
import { readBuyer } from '@/lib/stock/read-buyer';
import { readStock } from '@/lib/stock/read-stock';
import { releaseStock } from '@/lib/stock/release-stock';
import { restock } from '@/lib/stock/restock';
import { readPlace } from '@/lib/waitlist/read-place';
import { stageWaitlist } from '@/lib/waitlist/stage-waitlist';
import { releaseUnpaid } from '../order/release-unpaid';
import { recallAccepted, rememberAccepted, takeOlder } from '../purchase/accepted-memory';
import { replayAccepted } from '../recovery/replay-accepted';
import { drainOutbox } from '../testing/drain-outbox';
import { buy, makeOverdue } from '../testing/sale-fixture';
import { findPlace } from './find-place';
import { leaveWaitlist } from './leave-waitlist';
import { serveWaitlist } from './serve-waitlist';
import { settleWaitlist } from './tend-waitlists';
import { join, lose, loseAndLoad, press, soldOut, tiersOf } from './testing/waitlist-fixture';

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
      { jti, orderNo: given?.orderNo, units: 1, state: 'held' },
    ]);
    expect(await readPlace(saleId, third)).toMatchObject({ state: 'waiting', number: 2, ahead: 0 });
    expect(await readPlace(saleId, fourth)).toMatchObject({ state: 'waiting', number: 3, ahead: 1 });
  });

  it('a command to leave that comes late, after its shopper has joined again, takes no later place', async () => {
    const sale = await soldOut();
    const { saleId, userIds } = sale;
    const [first = '', second = '', third = ''] = userIds;
    await buy(sale, first);
    expect(await join(sale, second)).toMatchObject({ place: { number: 1 } });
    await join(sale, third);
    const late = () =>
      runScript(
        stockRedis(),
        'leave-waitlist-3',
        [keys.sale(saleId), keys.waitlist(saleId), keys.places(saleId)],
        [second, 1],
      );
    await leaveWaitlist(saleId, second);
    expect(await join(sale, second)).toMatchObject({ place: { number: 3 } });
    expect(await late()).toEqual(['not_waiting']);
    expect(await readPlace(saleId, second)).toMatchObject({ state: 'waiting', number: 3, ahead: 1 });
    await leaveWaitlist(saleId, second);
    expect(await readPlace(saleId, second)).toBeNull();
  });

  it('a replica that took over without a place: nobody hears that it is gone, and loading the sale brings it back', async () => {
    const sale = await soldOut();
    const { saleId, userIds } = sale;
    const [first = '', second = '', third = ''] = userIds;
    await buy(sale, first);
    await drainOutbox(saleId);
    await join(sale, second);
    await join(sale, third);
    const info = (await findSaleInfo(saleId)) as SaleInfo;
    const redis = stockRedis();
    await redis.multi().zrem(keys.waitlist(saleId), third).hdel(keys.places(saleId), third).exec();
    expect(await findPlace(info, third)).toBeNull();
    expect(await findPlace(info, second)).toMatchObject({ state: 'waiting', ahead: 0 });
    await lose(sale);
    expect(await findPlace(info, third)).toMatchObject({ state: 'waiting', ahead: 1 });
    await leaveWaitlist(saleId, third);
    expect(await findPlace(info, third)).toMatchObject({ state: 'none' });
  });

  it('leaves those who wait as they are when a rebuild that was overtaken goes on', async () => {
    const sale = await soldOut();
    const { saleId, userIds } = sale;
    const [first = '', second = ''] = userIds;
    await buy(sale, first);
    await join(sale, second);
    const { orderNo = '' } = (await readPlace(saleId, second)) ?? {};
    // It found the purchase on its way, so it would load nobody.
    await stageWaitlist(db(), sale, new Set([orderNo]));
    expect(await readPlace(saleId, second)).toMatchObject({ state: 'waiting', number: 1, ahead: 0 });
  });

  it('is remembered by the process that told of a unit, which Redis may lose before its order is written', async () => {
    const sale = await soldOut();
    const { saleId, userIds } = sale;
    const [first = '', second = ''] = userIds;
    const bought = await buy(sale, first);
    const jti = newId('jti');
    await join(sale, second, jti);
    await releaseStock({ saleId, userId: first, orderNo: bought.orderNo });
    const info = await findSaleInfo(saleId);
    const told = info && (await findPlace(info, second));
    expect(told).toMatchObject({ state: 'given', waiting: 0 });
    expect(recallAccepted(saleId, told?.orderNo ?? '')).toMatchObject({ userId: second, jti, quantity: 1 });
  });

  it('has a place no longer in its line once the unit it was told of is brought back, and tells of it', async () => {
    const sale = await soldOut();
    const { saleId, userIds } = sale;
    const [first = '', second = '', third = ''] = userIds;
    const bought = await buy(sale, first);
    await drainOutbox(saleId);
    await join(sale, second);
    await join(sale, third);
    await makeOverdue([bought.orderNo]);
    await releaseUnpaid([bought.orderNo]);
    const info = await findSaleInfo(saleId);
    const told = info && (await findPlace(info, second));
    expect(told).toMatchObject({ state: 'given' });
    // Another process loads the sale, which was told of nothing.
    const remembered = takeOlder(saleId, sale.epoch + 1);
    await loseAndLoad(sale);
    expect(await readPlace(saleId, second)).toMatchObject({ state: 'waiting', ahead: 0 });
    rememberAccepted(saleId, sale.epoch, remembered);
    await replayAccepted(saleId, (await findSaleInfo(saleId))?.epoch ?? 0);
    expect(await readPlace(saleId, third)).toMatchObject({ state: 'waiting', ahead: 0 });
    await drainOutbox(saleId);
    expect(await settleWaitlist(saleId)).toBe(1);
    const noted = await db().waitlistEntry.findFirstOrThrow({ where: { saleId, userId: second } });
    expect([noted.givenAt !== null, String(noted.orderNo)]).toEqual([true, told?.orderNo]);
    expect(await tiersOf(saleId)).toEqual({ available: 0, held: 1, sold: 0, total: 1 });
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
    // Loaded this very moment, however long the machine stands still.
    await stockRedis().hincrby(keys.sale(saleId), 'serveFrom', 600_000);
    expect(await readPlace(saleId, third)).toMatchObject({ state: 'waiting', ahead: 0 });
    expect(await tiersOf(saleId)).toMatchObject({ available: 1 });
    expect(await press(sale, fourth)).toEqual({ status: 'sold_out', available: 0 });
    const epoch = (await findSaleInfo(saleId))?.epoch ?? 0;
    expect(await serveWaitlist({ saleId, epoch })).toBe(0);
    await stockRedis().hincrby(keys.sale(saleId), 'serveFrom', -600_000);
    await expect.poll(() => serveWaitlist({ saleId, epoch }), { interval: 200 }).toBe(1);
    expect(await readPlace(saleId, third)).toMatchObject({ state: 'given', orderNo: before?.orderNo });
  });

  it('tells nobody a place that the next loading would not know', async () => {
    const sale = await soldOut({ users: 40 });
    const { saleId, userIds } = sale;
    await buy(sale, userIds[0] as string);
    await drainOutbox(saleId);
    const joining = userIds.slice(1).map(async (userId, at) => {
      const jti = newId('jti');
      await new Promise((resolve) => setTimeout(resolve, at * 3));
      // On a busy machine the sale is loaded anew for longer than a shopper waits: then the page comes again.
      for (;;) {
        const answer = await join(sale, userId, jti);
        if (answer.status !== 'unavailable') return answer;
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 40));
    await lose(sale);
    const answers = await Promise.all(joining);
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
      what: fc.constantFrom('press', 'join', 'leave', 'release', 'restock', 'pause', 'lose'),
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
        // As the product does it: Postgres first, which has the order, then Redis.
        if (what === 'release' && live) {
          await drainOutbox(saleId);
          await makeOverdue([live.orderNo]);
          await releaseUnpaid([live.orderNo]);
        }
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
          await lose(sale);
        }
        const stock = await readStock(saleId);
        if (!stock) throw new Error('not loaded');
        expect(stock.available + stock.held + stock.sold).toBe(stock.total);
        // Whoever has got a unit came before all who still wait.
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
