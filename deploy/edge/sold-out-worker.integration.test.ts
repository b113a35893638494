import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSaleFixture, type SaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { closeDb } from '@/lib/db/client';
import { env } from '@/lib/env';
import { closeRedis } from '@/lib/redis/client';
import { tokenFor } from '@/lib/server/testing/send-purchase';
import { type FastPathProcess, startFastPath } from '@/lib/server/testing/start-fast-path';
import { configureStock } from '@/lib/stock/configure-stock';
import { restock } from '@/lib/stock/restock';
import { bestOf } from '@/test/support/best-of';
import worker from './sold-out-worker.js';

const HOST = 'http://buy.localhost:3999';
let shop: FastPathProcess;
beforeAll(async () => {
  shop = await startFastPath({ env: { PURCHASE_ORIGIN: HOST } });
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await shop.stop();
  await Promise.all([closeRedis(), closeDb()]);
});

type Sale = Pick<SaleFixture, 'saleId' | 'gate'>;
type Said = { headers?: Record<string, string>; quantity?: number; isFirstTry?: boolean; pad?: string };

/** Sends a purchase through the worker; tells whether the shop saw it. */
async function press({ saleId, gate }: Sale, token: string, said: Said = {}) {
  const { headers, quantity, isFirstTry = true, pad } = said;
  const body = JSON.stringify({ entryToken: token, isFirstTry, quantity, pad });
  const sent = new Request(`${HOST}/api/sales/${saleId}/purchase/${gate}`, {
    method: 'POST',
    headers: { 'content-length': String(body.length), origin: env().publicUrl, ...headers },
    body,
  });
  const asked = vi.spyOn(globalThis, 'fetch');
  const answer = await worker.fetch(sent, { ORIGIN: shop.origin, SITE_ORIGIN: env().publicUrl });
  const isPassed = asked.mock.calls.some(([to]) =>
    String(to instanceof Request ? to.url : to).includes('/purchase/'),
  );
  asked.mockRestore();
  return {
    status: answer.status,
    headers: answer.headers,
    isPassed,
    body: (await answer.json()) as Record<string, unknown>,
  };
}
const strangerOf = ({ saleId }: Sale) => tokenFor(saleId, `stranger_${Math.random().toString(36).slice(2)}`);

/** Presses as a stranger until the worker answers itself. */
const pressAtEdge = (sale: Sale, said: Said = {}) =>
  vi.waitFor(
    async () => {
      const answer = await press(sale, strangerOf(sale), said);
      expect(answer.isPassed).toBe(false);
      return answer;
    },
    { timeout: 60_000, interval: 20 },
  );

/** A sale whose only unit is bought, as the worker knows too. */
async function soldOutSale() {
  const sale = await createSaleFixture({ total: 1, users: 2 });
  const token = tokenFor(sale.saleId, sale.userIds[0] ?? '');
  const bought = await press(sale, token);
  expect([bought.status, bought.isPassed]).toEqual([202, true]);
  await pressAtEdge(sale);
  return { sale, token, orderNo: bought.body.orderNo };
}

describe('the worker at the edge', () => {
  it('[K3 B5] says "sold out" with exactly the answer of the shop, and nothing to other origins', async () => {
    const { sale } = await soldOutSale();
    for (const origin of [env().publicUrl, 'https://evil.example', undefined]) {
      const headers = origin === undefined ? { origin: '' } : { origin };
      const edge = await pressAtEdge(sale, { headers });
      const own = await press(sale, strangerOf(sale), { headers, isFirstTry: false });
      expect([edge.isPassed, own.isPassed]).toEqual([false, true]);
      expect(edge.status).toBe(own.status);
      expect({ ...edge.body, requestId: '' }).toEqual({ ...own.body, requestId: '' });
      expect(Object.keys(edge.body)).toEqual(Object.keys(own.body));
      const told = [
        'content-type',
        'cache-control',
        'access-control-allow-origin',
        'access-control-expose-headers',
      ];
      for (const name of told) expect(edge.headers.get(name), name).toBe(own.headers.get(name));
      expect(edge.headers.get('access-control-allow-origin')).toBe(
        origin === env().publicUrl ? origin : null,
      );
    }
  });

  it('[K3 F2] passes on whoever may have bought, whatever else the request asks, and everything that is no purchase', async () => {
    const { sale, token, orderNo } = await soldOutSale();
    expect(await press(sale, token, { isFirstTry: false })).toMatchObject({
      isPassed: true,
      status: 202,
      body: { orderNo, replay: true },
    });
    const app = await press(sale, token, { headers: { 'x-entry-token': token } });
    expect(app).toMatchObject({ isPassed: true, status: 202, body: { orderNo } });
    const others = [
      await press(sale, strangerOf(sale), { quantity: 2 }),
      await press({ ...sale, gate: 'other' }, strangerOf(sale)),
      await press(sale, strangerOf(sale), { pad: 'x'.repeat(1_000) }),
    ];
    expect(others.map(({ isPassed }) => isPassed)).toEqual([true, true, true]);
    const state = await worker.fetch(new Request(`${HOST}/api/sales/${sale.saleId}/state`), {
      ORIGIN: shop.origin,
      SITE_ORIGIN: env().publicUrl,
    });
    expect(await state.json()).toMatchObject({ status: 'sold_out' });
  });

  it('[K3 B5] a unit that comes back can be bought within 3 s, and a state that can be too old counts as none', async () => {
    const refusedFor = async () => {
      const { sale } = await soldOutSale();
      const { saleId, epoch, userIds } = sale;
      await restock({ saleId, epoch, delta: 1, requestId: 'one_more' });
      const restockedAt = Date.now();
      const token = tokenFor(saleId, userIds[1] ?? '');
      let refusedAt = 0;
      for (;;) {
        const pressedAt = Date.now();
        const { status, isPassed } = await press(sale, token);
        if (status === 202) break;
        if (!isPassed) refusedAt = pressedAt;
      }
      return refusedAt - restockedAt;
    };
    // The shop itself reads the stock every 100 ms.
    expect(await bestOf(3_100, refusedFor)).toBeLessThan(3_100);

    const again = await soldOutSale();
    // A clock that differs, or a cache that keeps states too long: what is known may be old.
    // Far enough back that it is in the future though a busy machine stood still.
    for (const offsetMs of [-33_100, 3_100]) {
      const now = Date.now;
      vi.spyOn(Date, 'now').mockImplementation(() => now() + offsetMs);
      expect((await press(again.sale, strangerOf(again.sale))).isPassed, String(offsetMs)).toBe(true);
      vi.restoreAllMocks();
    }
    await configureStock({ saleId: again.sale.saleId, epoch: again.sale.epoch, paused: true });
    await vi.waitFor(
      async () => expect((await press(again.sale, strangerOf(again.sale))).body.code).toBe('PAUSED'),
      { timeout: 60_000, interval: 50 },
    );
  });
});
