import { afterAll, describe, expect, it } from 'vitest';
import { blockSubjects } from '@/lib/block/block-subjects';
import { stopWatchingBlocks, watchBlocks } from '@/lib/block/watch-blocks';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { shardOf } from '@/lib/ids/shard-of';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { flushAttempts, readAttempts } from '@/lib/metrics/attempts';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { retireEndedSales } from '@/lib/recovery/retire-ended-sales';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { flushRefusals } from '@/lib/refusal/note-refusal';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { decideQueue } from '@/lib/stock/decide-queue';
import { readAsked, readUndecided } from '@/lib/stock/read-asked';
import { readBuyer } from '@/lib/stock/read-buyer';
import { readStock } from '@/lib/stock/read-stock';
import { verifySale } from '@/lib/verify/verify-sale';
import { explainAttempts } from '@/lib/why/explain-attempts';
import { makeUser } from '@/test/support/make-sale';
import { decideWaiting } from './decide-waiting';
import { ask, queueSale, readOrder, type Sale, tokenFor, users } from './testing/ask';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

/** Takes away what Redis knows of a sale, as a server that starts empty. */
const loseAll = ({ saleId }: Sale) =>
  stockRedis().unlink(
    keys.sale(saleId),
    keys.buyers(saleId),
    keys.outbox(saleId),
    keys.queue(saleId),
    keys.asked(saleId),
  );

/** Makes the loading as old as one after which nobody brings back a lost purchase any more. */
const ageLoading = ({ saleId }: Sale) =>
  stockRedis().hset(keys.sale(saleId), 'loadedAt', Date.now() - 60_000);

async function expectSound({ saleId }: Sale) {
  await drainOutbox(saleId);
  const verification = await verifySale(saleId, { settleMs: 0 });
  expect(verification?.invariants.filter(({ ok }) => !ok)).toEqual([]);
}

describe('a purchase in the queue', () => {
  it('[C10] is undecided, which takes nothing; then it is decided in its turn, and the answer stands at its order', async () => {
    const { sale } = await queueSale({ totalStock: 2 });
    const all = await users(4);
    const asked: Awaited<ReturnType<typeof ask>>[] = [];
    for (const userId of all) asked.push(await ask(sale, userId));
    expect(asked).toMatchObject(all.map(() => ({ http: 202, status: 'undecided', replay: false })));
    expect(await readStock(sale.saleId)).toMatchObject({ available: 2, held: 0 });
    expect(await readUndecided(sale.saleId)).toMatchObject({ count: 4 });
    const orders = () => Promise.all(all.map((userId, at) => readOrder(userId, asked[at]?.orderNo)));
    expect(await orders()).toMatchObject(all.map(() => ({ http: 200, status: 'undecided', payBy: null })));

    expect(await decideWaiting(sale)).toBe(4);
    expect(await decideWaiting(sale)).toBe(0);
    const soldOut = { http: 409, code: 'SOLD_OUT', available: 0 };
    const decided = [{ http: 200, status: 'queued' }, { http: 200, status: 'queued' }, soldOut, soldOut];
    expect(await orders()).toMatchObject(decided);
    await drainOutbox(sale.saleId);
    expect(await orders()).toMatchObject([
      { status: 'pending_payment' },
      { status: 'pending_payment' },
      soldOut,
      soldOut,
    ]);
    // A stranger's order is not found, with or without a session alone. One user in 1,024 has the gene of the number:
    // the order might be theirs, so they are told that it was not decided.
    const [last = ''] = all.slice(-1);
    const stranger = all.find((userId) => shardOf(userId) !== shardOf(last)) ?? '';
    expect(await readOrder(stranger, asked[3]?.orderNo)).toMatchObject({ http: 404 });
    expect(await readOrder(all[3] ?? '', asked[3]?.orderNo, sale.saleId)).toMatchObject(soldOut);
    await expectSound(sale);
  });

  it('[C10 P2] of somebody blocked while waiting takes nothing; the next has the unit', async () => {
    await watchBlocks();
    const { sale } = await queueSale({ totalStock: 1 });
    const [barred = '', next = ''] = await users(2);
    await ask(sale, barred);
    await ask(sale, next);
    await blockSubjects([
      { kind: 'user', value: barred, reason: 'a bot', by: 'user_admin', expiresAt: null },
    ]);
    expect(await decideWaiting(sale)).toBe(2);
    expect(await readBuyer(sale.saleId, barred)).toEqual([]);
    expect(await readBuyer(sale.saleId, next)).toMatchObject([{ state: 'held' }]);
    expect(await readUndecided(sale.saleId)).toMatchObject({ count: 0 });
    await flushRefusals();
    expect((await explainAttempts(sale.saleId, barred))?.attempts).toMatchObject([{ code: 'BLOCKED' }]);
    expect(await ask(sale, barred)).toMatchObject({ http: 403, code: 'BLOCKED' });
    await expectSound(sale);
    stopWatchingBlocks();
  });

  it('[C10 F2] with the same token is the same one while it waits, the order afterwards, and a new try if it was refused', async () => {
    const { sale } = await queueSale({ totalStock: 1 });
    const [ada = '', ben = ''] = await users(2);
    const [adas, bens] = [tokenFor(sale.saleId, ada), tokenFor(sale.saleId, ben)];
    const first = await ask(sale, ada, adas);
    const again = await Promise.all(Array.from({ length: 20 }, () => ask(sale, ada, adas)));
    expect(new Set(again.map(({ orderNo, status, replay }) => `${orderNo} ${status} ${replay}`))).toEqual(
      new Set([`${first.orderNo} undecided true`]),
    );
    expect(await ask(sale, ada, adas, '{"quantity":2}')).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    const second = await ask(sale, ben, bens);
    expect(await decideWaiting(sale)).toBe(2);
    expect(await ask(sale, ada, adas)).toMatchObject({
      orderNo: first.orderNo,
      status: 'queued',
      replay: true,
    });
    expect(await readOrder(ben, second.orderNo)).toMatchObject({ code: 'SOLD_OUT' });
    expect(await ask(sale, ben, bens)).toMatchObject({ http: 409, code: 'SOLD_OUT' });
    await expectSound(sale);
  });

  it('[C10 C1] two of one user in line: the second meets the limit, and is led to the first', async () => {
    const { sale } = await queueSale({ limitPerUser: 1 });
    const [ada = ''] = await users(1);
    const [first, second] = [await ask(sale, ada), await ask(sale, ada)];
    await decideWaiting(sale);
    expect(await readOrder(ada, first.orderNo)).toMatchObject({ http: 200, status: 'queued' });
    expect(await readOrder(ada, second.orderNo)).toMatchObject({
      http: 409,
      code: 'LIMIT_REACHED',
      orderNo: first.orderNo,
      limitPerUser: 1,
    });
    await expectSound(sale);
  });

  it('[C10 I1] counts once: as accepted or refused when it is decided, and “why not me?” knows', async () => {
    const { sale } = await queueSale({ totalStock: 1 });
    const [ada = '', ben = ''] = await users(2);
    const asked = [await ask(sale, ada), await ask(sale, ben)];
    await flushAttempts();
    expect((await readAttempts(sale.saleId)).attempts).toMatchObject({
      accepted: 0,
      soldOut: 0,
      rejected: 0,
    });
    await decideWaiting(sale);
    for (const { orderNo } of asked) await readOrder(ben, orderNo);
    await Promise.all([flushAttempts(), flushRefusals()]);
    expect(await readAttempts(sale.saleId)).toMatchObject({
      attempts: { accepted: 1, soldOut: 1, replayed: 0, rejected: 0 },
      refusals: { SOLD_OUT: 1 },
    });
    const why = await explainAttempts(sale.saleId, ben);
    expect(why?.attempts).toMatchObject([{ outcome: 'refused', code: 'SOLD_OUT', available: 0, times: 1 }]);
  });

  it('[C10] waits in a line that has an end: 503 with a time to come again, nothing queued', async () => {
    const { sale } = await queueSale();
    const [ada = '', ben = ''] = await users(2);
    await ask(sale, ada);
    const { backlogCap } = env();
    const filler = Array.from({ length: 1_000 }, () => [
      'xadd',
      keys.queue(sale.saleId),
      '*',
      'purchase',
      'x',
    ]);
    for (let at = 1; at < backlogCap; at += 1_000) await stockRedis().pipeline(filler).exec();
    expect(await ask(sale, ben)).toMatchObject({ http: 503, code: 'STOCK_UNAVAILABLE', retryAfter: '5' });
    expect(await readAsked(sale.saleId, ben, '1')).toBeNull();
    // An unreadable entry is taken out and holds up no purchase.
    while ((await decideQueue(sale.saleId)).length > 0 || (await readUndecided(sale.saleId)).count > 0);
    expect(await readBuyer(sale.saleId, ada)).toHaveLength(1);
  });
});

describe('many deciders', () => {
  it('[C10 C1] three at once over 600 purchases: each is decided once, in the order in which it came', async () => {
    const { sale } = await queueSale({ totalStock: 50 });
    const all = await users(600);
    const asked: Awaited<ReturnType<typeof ask>>[] = [];
    // A few at a time, so that the order of the answers is the order of the line.
    for (const userId of all) asked.push(await ask(sale, userId));
    const counts = await Promise.all(
      Array.from({ length: 3 }, async () => {
        let count = 0;
        for (let some = await decideWaiting(sale); some > 0; some = await decideWaiting(sale)) count += some;
        return count;
      }),
    );
    expect(counts.reduce((sum, count) => sum + count)).toBe(600);
    const isIn = await Promise.all(
      all.map(async (userId) => (await readBuyer(sale.saleId, userId)).length > 0),
    );
    expect(isIn.lastIndexOf(true)).toBe(49);
    expect(isIn.filter(Boolean)).toHaveLength(50);
    await expectSound(sale);
  });
});

describe('a sale that changes while purchases wait', () => {
  it('[C10 C8] paused: they are refused so, and may try again', async () => {
    const { sale, merchant } = await queueSale();
    const [ada = ''] = await users(1);
    const token = tokenFor(sale.saleId, ada);
    const { orderNo } = await ask(sale, ada, token);
    await setSalePaused(merchant, sale.saleId, true);
    await decideWaiting(sale);
    expect(await readOrder(ada, orderNo)).toMatchObject({ http: 409, code: 'PAUSED' });
    expect(await ask(sale, ada, token)).toMatchObject({ http: 409, code: 'PAUSED' });
    await setSalePaused(merchant, sale.saleId, false);
    const second = await ask(sale, ada, token);
    expect(second).toMatchObject({ http: 202, status: 'undecided', replay: false });
    await decideWaiting(sale);
    expect(await readOrder(ada, second.orderNo)).toMatchObject({ status: 'queued' });
    await expectSound(sale);
  });

  it('[C10] over: those who came before the end are decided, nobody joins, and its relay goes on until the line is empty', async () => {
    const { sale, merchant } = await queueSale({ totalStock: 1 });
    const [ada = '', ben = '', cyd = ''] = await users(3);
    const asked = [await ask(sale, ada), await ask(sale, ben)];
    await closeSale(merchant, sale.saleId);
    expect(await ask(sale, cyd)).toMatchObject({ http: 409, code: 'ENDED' });
    expect(await retireEndedSales()).not.toContain(sale.saleId);
    expect(await decideWaiting(sale)).toBe(2);
    expect(await readOrder(ada, asked[0].orderNo)).toMatchObject({ status: 'queued' });
    expect(await readOrder(ben, asked[1].orderNo)).toMatchObject({ code: 'SOLD_OUT' });
    expect(await stockRedis().pttl(keys.asked(sale.saleId))).toBeGreaterThan(15 * 60_000);
    await expectSound(sale);
  });

  it('[C10 E1] loaded anew: whoever waited under the old loading was not decided, and the same token queues again', async () => {
    const { sale } = await queueSale();
    const [ada = ''] = await users(1);
    const token = tokenFor(sale.saleId, ada);
    const { orderNo } = await ask(sale, ada, token);
    await stockRedis().unlink(keys.sale(sale.saleId));
    expect(await decideWaiting(sale)).toBe(0);
    expect((await ensureStockLoaded(sale.saleId)).status).toBe('loaded');
    const { epoch } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
    const now = { saleId: sale.saleId, epoch };
    expect(await decideWaiting(now)).toBe(1);
    expect(await readStock(sale.saleId)).toMatchObject({ held: 0 });
    await ageLoading(sale);
    expect(await readOrder(ada, orderNo, sale.saleId)).toMatchObject({ http: 409, code: 'NOT_DECIDED' });
    const second = await ask(sale, ada, token);
    expect(second).toMatchObject({ status: 'undecided', replay: false });
    await decideWaiting(now);
    expect(await readOrder(ada, second.orderNo)).toMatchObject({ status: 'queued' });
    await expectSound(sale);
  });
});

describe('a Redis that lost everything', () => {
  async function reload({ saleId }: Sale) {
    await forgetSaleInfo(saleId);
    expect((await ensureStockLoaded(saleId)).status).toBe('loaded');
    const { epoch } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    return { saleId, epoch };
  }

  it('[C10 E1] undecided purchases were no promise: first nobody says so for sure, then each may try again', async () => {
    const { sale } = await queueSale();
    const [ada = ''] = await users(1);
    const { orderNo } = await ask(sale, ada);
    await loseAll(sale);
    await reload(sale);
    await expect(readOrder(ada, orderNo, sale.saleId)).rejects.toThrow(/not known yet/);
    await ageLoading(sale);
    expect(await readOrder(ada, orderNo, sale.saleId)).toMatchObject({ http: 409, code: 'NOT_DECIDED' });
    expect(await readOrder(ada, '12345')).toMatchObject({ http: 404 });
    await expectSound(sale);
  });

  it('[C10 E1] what a worker accepted it brings back, whether or not anybody had seen it', async () => {
    const { sale } = await queueSale({ totalStock: 3 });
    const [ada = '', ben = ''] = await users(2);
    const { orderNo } = await ask(sale, ada);
    await decideWaiting(sale);
    await loseAll(sale);
    const now = await reload(sale);
    await ask(now, ben);
    await decideWaiting(now);
    expect(await readOrder(ada, orderNo, sale.saleId)).toMatchObject({ status: 'queued' });
    expect(await readStock(sale.saleId)).toMatchObject({ available: 1, held: 2 });
    await expectSound(sale);
  });

  it('[C10 E1] what a shopper has seen accepted the web process brings back, although the worker is dead', async () => {
    const { sale } = await queueSale({ totalStock: 3 });
    const [ada = '', ben = ''] = await users(2);
    const [seen, unseen] = [await ask(sale, ada), await ask(sale, ben)];
    // A worker that dies before it remembers anything.
    await decideQueue(sale.saleId);
    expect(await readOrder(ada, seen.orderNo, sale.saleId)).toMatchObject({ status: 'queued' });
    await loseAll(sale);
    await reload(sale);
    await ageLoading(sale);
    expect(await readOrder(ada, seen.orderNo, sale.saleId)).toMatchObject({ status: 'queued' });
    expect(await readOrder(ben, unseen.orderNo, sale.saleId)).toMatchObject({ code: 'NOT_DECIDED' });
    await expectSound(sale);
    expect(await db().order.count({ where: { saleId: sale.saleId, userId: ada } })).toBe(1);
  });
});

it('[C10 L1] what is no id is nobody’s purchase and no sale', async () => {
  const { sale } = await queueSale();
  const { userId } = await makeUser();
  expect(await readAsked(sale.saleId, 'no id; at all', '1')).toBeNull();
  expect(await readAsked('no sale', userId, '1')).toBeNull();
  await expect(decideQueue('no sale')).rejects.toThrow(TypeError);
});
