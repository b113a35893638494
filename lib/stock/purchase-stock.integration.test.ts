import { afterAll, describe, expect, it } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';
import { closeStock } from './close-stock';
import { configureStock } from './configure-stock';
import { confirmStock } from './confirm-stock';
import { MAX_PURCHASES } from './decide-purchase';
import { purchaseStock } from './purchase-stock';
import { purchaseKeys } from './purchase-together';
import { readBuyer } from './read-buyer';
import { readStock } from './read-stock';
import { releaseStock } from './release-stock';
import { StockCorruptError } from './run-stock-script';
import { HOUR_MS, openSale, purchaseOf } from './testing/open-sale';

afterAll(closeRedis);

/** Reads everything Redis holds of a sale, to show that a refusal wrote nothing. */
async function everything(saleId: string): Promise<unknown> {
  const redis = stockRedis();
  return Promise.all([
    redis.hgetall(keys.sale(saleId)),
    redis.hgetall(keys.buyers(saleId)),
    redis.xrange(keys.outbox(saleId), '-', '+'),
  ]);
}

async function expectRefused(purchase: ReturnType<typeof purchaseOf>, reply: object): Promise<void> {
  const before = await everything(purchase.saleId);
  expect(await purchaseStock(purchase)).toEqual(reply);
  expect(await everything(purchase.saleId)).toEqual(before);
}

describe('accepted', () => {
  it('[C1 E2] deducts, remembers the buyer and records the message in one step', async () => {
    const saleId = await openSale({ total: 10, limit: 3 });
    const purchase = purchaseOf(saleId, 'ada', { quantity: 2 });
    const before = Date.now();
    const reply = await purchaseStock(purchase);
    expect(reply).toEqual({ status: 'accepted', orderNo: purchase.orderNo, acceptedAt: expect.any(Number) });
    const acceptedAt = reply.status === 'accepted' ? reply.acceptedAt : 0;
    expect(acceptedAt).toBeGreaterThanOrEqual(before);
    expect(await readStock(saleId)).toMatchObject({
      total: 10,
      available: 8,
      held: 2,
      sold: 0,
      soldOutAt: null,
    });
    expect(await readBuyer(saleId, 'ada')).toEqual([
      { jti: purchase.jti, orderNo: purchase.orderNo, quantity: 2, state: 'held' },
    ]);
    const [entry] = await stockRedis().xrange(keys.outbox(saleId), '-', '+');
    expect(entry?.[1]).toEqual([
      'orderNo',
      purchase.orderNo,
      'userId',
      'ada',
      'quantity',
      '2',
      'jti',
      purchase.jti,
      'epoch',
      '1',
      'acceptedAt',
      String(acceptedAt),
    ]);
  });

  it('[C1] goes on without end when the sale is unlimited, and still counts', async () => {
    const saleId = await openSale({ total: -1, limit: 5 });
    expect(await purchaseStock(purchaseOf(saleId, 'ada', { quantity: 5 }))).toMatchObject({
      status: 'accepted',
    });
    expect(await purchaseStock(purchaseOf(saleId, 'ben', { quantity: 4 }))).toMatchObject({
      status: 'accepted',
    });
    expect(await readStock(saleId)).toMatchObject({
      total: -1,
      available: -1,
      held: 9,
      sold: 0,
      soldOutAt: null,
    });
  });

  it('[C1] takes the last units and notes when', async () => {
    const saleId = await openSale({ total: 2, limit: 2 });
    const reply = await purchaseStock(purchaseOf(saleId, 'ada', { quantity: 2 }));
    expect(await readStock(saleId)).toMatchObject({
      available: 0,
      soldOutAt: reply.status === 'accepted' ? reply.acceptedAt : 'never',
    });
  });
});

describe('replayed', () => {
  it('[F2 C1] gives the first answer again, with the first units, and takes nothing', async () => {
    const saleId = await openSale({ limit: 3 });
    const first = purchaseOf(saleId, 'ada', { quantity: 2 });
    await purchaseStock(first);
    const again = purchaseOf(saleId, 'ada', { jti: first.jti, quantity: 1 });
    await expectRefused(again, { status: 'replayed', orderNo: first.orderNo, quantity: 2 });
  });

  it('[F2] holds after the end, while paused, with a wrong gate and after the release', async () => {
    const saleId = await openSale();
    const first = purchaseOf(saleId, 'ada');
    await purchaseStock(first);
    const answer = { status: 'replayed', orderNo: first.orderNo, quantity: 1 };
    await expectRefused({ ...first, gate: 'wrong' }, answer);
    await configureStock({ saleId, epoch: 1, paused: true });
    await expectRefused(first, answer);
    await releaseStock({ saleId, userId: 'ada', orderNo: first.orderNo });
    await closeStock({ saleId, epoch: 1 });
    await expectRefused(first, answer);
  });

  it('[F2] belongs to the user: the same token id of another user is a purchase of its own', async () => {
    const saleId = await openSale();
    await purchaseStock(purchaseOf(saleId, 'ada', { jti: 'same' }));
    expect(await purchaseStock(purchaseOf(saleId, 'ben', { jti: 'same' }))).toMatchObject({
      status: 'accepted',
    });
  });
});

describe('refusals, each distinct and without a trace', () => {
  it('[C1] unknown_sale', async () => {
    await expectRefused(purchaseOf('sale_nowhere', 'ada'), { status: 'unknown_sale' });
    await expectRefused(purchaseOf('no{such}id', 'ada'), { status: 'unknown_sale' });
  });

  it('[C1] stale_epoch, whether behind or ahead', async () => {
    const saleId = await openSale({ epoch: 5 });
    await expectRefused(purchaseOf(saleId, 'ada', { epoch: 4 }), { status: 'stale_epoch' });
    await expectRefused(purchaseOf(saleId, 'ada', { epoch: 6 }), { status: 'stale_epoch' });
  });

  it('[C1] not_started', async () => {
    const saleId = await openSale({ startsAt: Date.now() + HOUR_MS, endsAt: Date.now() + 2 * HOUR_MS });
    await expectRefused(purchaseOf(saleId, 'ada'), { status: 'not_started' });
  });

  it('[C1] ended, by time', async () => {
    const saleId = await openSale({ startsAt: Date.now() - 2 * HOUR_MS, endsAt: Date.now() - HOUR_MS });
    await expectRefused(purchaseOf(saleId, 'ada'), { status: 'ended' });
  });

  it('[C1] ended, because it was closed: even before its start', async () => {
    const saleId = await openSale({ startsAt: Date.now() + HOUR_MS, endsAt: Date.now() + 2 * HOUR_MS });
    await closeStock({ saleId, epoch: 1 });
    await expectRefused(purchaseOf(saleId, 'ada'), { status: 'ended' });
  });

  it('[C1] paused', async () => {
    const saleId = await openSale({ paused: true });
    await expectRefused(purchaseOf(saleId, 'ada'), { status: 'paused' });
  });

  it('[A4 C1] gate_invalid', async () => {
    const saleId = await openSale();
    for (const gate of ['wrong', '', 'no;good', 'x'.repeat(5_000)]) {
      await expectRefused(purchaseOf(saleId, 'ada', { gate }), { status: 'gate_invalid' });
    }
  });

  it('[C1] already_bought, with the latest live order', async () => {
    const saleId = await openSale({ limit: 2 });
    const [first, second] = [purchaseOf(saleId, 'ada'), purchaseOf(saleId, 'ada')];
    await purchaseStock(first);
    await purchaseStock(second);
    const reply = { status: 'already_bought', orderNo: second.orderNo };
    await expectRefused(purchaseOf(saleId, 'ada'), reply);
    await expectRefused(purchaseOf(saleId, 'ada', { quantity: 3 }), reply);
    await configureStock({ saleId, epoch: 1, limit: 1 });
    await expectRefused(purchaseOf(saleId, 'ada'), reply);
  });

  it('[C1] over_limit, by units', async () => {
    const saleId = await openSale({ limit: 3 });
    await expectRefused(purchaseOf(saleId, 'ben', { quantity: 4 }), { status: 'over_limit' });
    await purchaseStock(purchaseOf(saleId, 'ada', { quantity: 2 }));
    await expectRefused(purchaseOf(saleId, 'ada', { quantity: 2 }), { status: 'over_limit' });
  });

  it(`[C1] over_limit, after ${MAX_PURCHASES} purchases even if all were released`, async () => {
    const saleId = await openSale();
    for (let i = 0; i < MAX_PURCHASES; i += 1) {
      const purchase = purchaseOf(saleId, 'ada');
      expect(await purchaseStock(purchase)).toMatchObject({ status: 'accepted' });
      await releaseStock(purchase);
    }
    await expectRefused(purchaseOf(saleId, 'ada'), { status: 'over_limit' });
  });

  it('[C1] sold_out, with what is left', async () => {
    const saleId = await openSale({ total: 3, limit: 2 });
    await purchaseStock(purchaseOf(saleId, 'ada', { quantity: 2 }));
    await expectRefused(purchaseOf(saleId, 'ben', { quantity: 2 }), { status: 'sold_out', available: 1 });
    await purchaseStock(purchaseOf(saleId, 'cyd'));
    await expectRefused(purchaseOf(saleId, 'ben'), { status: 'sold_out', available: 0 });
  });
});

describe('what can only be a bug', () => {
  it('[C1] numbers that do not add up are an alarm, never mended', async () => {
    for (const [field, value] of [
      ['available', '9'],
      ['held', '-1'],
      ['sold', ''],
      ['available', '-1'],
    ] as const) {
      const saleId = await openSale();
      await stockRedis().hset(keys.sale(saleId), field, value);
      const before = await everything(saleId);
      await expect(purchaseStock(purchaseOf(saleId, 'ada'))).rejects.toThrow(StockCorruptError);
      expect(await everything(saleId)).toEqual(before);
    }
  });

  it.each(['4 7', '-1 11', '-5 5', '9', '5 x', 'x'])(
    '[C1 O3] variants that do not add up are one, too: "%s" of 10',
    async (variants) => {
      const saleId = await openSale({ total: 10, variants: [4, 6] });
      await stockRedis().hset(keys.sale(saleId), 'variants', variants);
      const before = await everything(saleId);
      await expect(purchaseStock(purchaseOf(saleId, 'ada', { variant: 2 }))).rejects.toThrow(
        StockCorruptError,
      );
      expect(await everything(saleId)).toEqual(before);
    },
  );

  it('ids that would break the buyer record are refused before Redis is asked', async () => {
    const saleId = await openSale();
    for (const jti of ['a,b', 'a;b', '', 'x'.repeat(65)]) {
      await expect(purchaseStock(purchaseOf(saleId, 'ada', { jti }))).rejects.toThrow(TypeError);
    }
    await expect(purchaseStock(purchaseOf(saleId, 'a;b'))).rejects.toThrow(TypeError);
    for (const orderNo of ['0', '-1', '1.5', '0x1', '12345678901234567890']) {
      await expect(purchaseStock(purchaseOf(saleId, 'ada', { orderNo }))).rejects.toThrow(TypeError);
    }
    for (const quantity of [0, -1, 1.5, Number.NaN, 10_001]) {
      await expect(purchaseStock(purchaseOf(saleId, 'ada', { quantity }))).rejects.toThrow(RangeError);
    }
  });

  it('a reply of another script version throws', async () => {
    const saleId = await openSale();
    await purchaseStock(purchaseOf(saleId, 'ada', { jti: 'kept' }));
    await stockRedis().hset(keys.buyers(saleId), 'ada', 'kept,77,99999999999999999999,h');
    await expect(purchaseStock(purchaseOf(saleId, 'ada', { jti: 'kept' }))).rejects.toThrow(
      'purchase-3-n answered',
    );
  });
});

describe('what a purchase carries', () => {
  const carried = 'jti_1,77,2,red,1';

  it('[E2 C6] is passed on by the script, word for word, and none of it is taken for a state', async () => {
    const saleId = await openSale({ total: 10, limit: 3 });
    const { epoch, gate } = purchaseOf(saleId, 'ada');
    const buy = () =>
      runScript(stockRedis(), 'purchase-3-n', purchaseKeys(saleId), [epoch, `${gate} ada ${carried} 0`]);
    expect((await buy())[0]).toBe('accepted');
    expect(await stockRedis().hget(keys.buyers(saleId), 'ada')).toBe(`${carried},h`);
    expect(await buy()).toEqual(['replayed', '77', '2']);
    expect(await purchaseStock(purchaseOf(saleId, 'ada', { quantity: 2 }))).toEqual({ status: 'over_limit' });
    const order = { saleId, userId: 'ada', orderNo: '77' };
    expect(await confirmStock(order)).toEqual({ status: 'confirmed' });
    expect(await stockRedis().hget(keys.buyers(saleId), 'ada')).toBe(`${carried},s`);
    expect(await readStock(saleId)).toMatchObject({ available: 8, held: 0, sold: 2 });
  });

  it('[E2 C6] is passed on through the queue', async () => {
    const saleId = await openSale({ total: 10, limit: 3 });
    const { epoch, gate } = purchaseOf(saleId, 'ada');
    const at = [keys.sale, keys.buyers, keys.queue, keys.limits, keys.reserved, keys.asked];
    const queue = () =>
      runScript(
        stockRedis(),
        'enqueue-3-n',
        at.map((key) => key(saleId)),
        [`${epoch} 100`, `${gate} ada ${carried} 0 0 - -`],
      );
    expect(await queue()).toEqual(['queued']);
    expect(await stockRedis().hget(keys.asked(saleId), 'ada')).toBe(`${carried},u`);
    expect(await queue()).toEqual(['undecided', '77', '2']);
    const into = [keys.sale, keys.buyers, keys.outbox, keys.queue, keys.asked];
    const decided = await runScript(
      stockRedis(),
      'decide-queue-5',
      into.map((key) => key(saleId)),
      [10],
    );
    expect(decided.slice(0, 6)).toEqual([String(epoch), 'ada', carried, '-', '-', 'accepted']);
    expect(await stockRedis().hget(keys.buyers(saleId), 'ada')).toBe(`${carried},h`);
  });
});
