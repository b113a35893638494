import { describe, expect, it } from 'vitest';
import { isOutage } from '@/lib/errors/is-outage';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { configureStock } from '@/lib/stock/configure-stock';
import { makeDraft, makeSale } from '@/test/support/make-sale';
import { readState } from './read-state';

const stateOf = async (saleId: string) => {
  const { status, headers, body } = await readState(saleId);
  return { http: status, cache: headers['cache-control'], ...JSON.parse(body) };
};

describe('readState', () => {
  it('[A4] shows the gate only once the sale is open', async () => {
    const startsAt = Date.now() + 60_000;
    const { sale } = await makeSale({ startsAt, endsAt: startsAt + 60_000 });
    expect(await stateOf(sale.saleId)).toMatchObject({ status: 'scheduled', gate: null, startsAt });

    await configureStock({ saleId: sale.saleId, epoch: sale.epoch, startsAt: Date.now() - 1000 });
    const open = await stateOf(sale.saleId);
    expect(open).toMatchObject({ status: 'live', gate: expect.stringMatching(/^[\w-]{22}$/) });
    expect(await stockRedis().hget(keys.sale(sale.saleId), 'gate')).toBe(open.gate);

    await configureStock({ saleId: sale.saleId, epoch: sale.epoch, paused: true });
    expect(await stateOf(sale.saleId)).toMatchObject({ status: 'paused', gate: null });
  });

  it('[A3] may be cached for a second, but not across the start', async () => {
    const { sale } = await makeSale({ startsAt: Date.now() + 600_000, endsAt: Date.now() + 900_000 });
    expect((await stateOf(sale.saleId)).cache).toBe('public, max-age=1, stale-if-error=5');
    const beforeStart = async () => {
      const startsAt = Date.now() + 950;
      await configureStock({ saleId: sale.saleId, epoch: sale.epoch, startsAt });
      const { serverTime, cache } = await stateOf(sale.saleId);
      return serverTime < startsAt ? cache : 'too late';
    };
    let cache = await beforeStart();
    for (let tries = 1; cache === 'too late' && tries < 10; tries += 1) cache = await beforeStart();
    expect(cache).toBe('no-store');
  });

  it('[C5] shows shoppers what is available, and −1 for unlimited', async () => {
    const { sale } = await makeSale({ totalStock: 3 });
    expect((await stateOf(sale.saleId)).stock).toEqual({ total: 3, available: 3 });
    const { sale: endless } = await makeSale({ totalStock: -1 });
    expect((await stateOf(endless.saleId)).stock).toEqual({ total: -1, available: -1 });
  });

  it('[B1] is 404 for unknown sales and drafts', async () => {
    const { sale } = await makeDraft();
    for (const saleId of [sale.saleId, 'nope', '', '{x}', 'a'.repeat(5000)]) {
      expect(await stateOf(saleId), saleId.slice(0, 20)).toMatchObject({ http: 404, code: 'SALE_NOT_FOUND' });
    }
  });

  it('[B2 B7] heals lost stock, and stock never expires', async () => {
    const { sale } = await makeSale();
    // No request waits longer than a second for the load: on a busy machine the first answers may say to ask again.
    let state: Awaited<ReturnType<typeof stateOf>> | undefined;
    for (let tries = 0; tries < 30 && (state?.http ?? 503) === 503; tries += 1) {
      await stockRedis().flushdb();
      state = await stateOf(sale.saleId).catch((error: unknown) => {
        if (!isOutage(error)) throw error;
        return { http: 503 };
      });
    }
    expect(state).toMatchObject({ http: 200, status: 'live' });
    expect(await stockRedis().ttl(keys.sale(sale.saleId))).toBe(-1);
  });
});
