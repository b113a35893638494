import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSaleFixture, type SaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { closeDb } from '@/lib/db/client';
import { env } from '@/lib/env';
import { closeRedis } from '@/lib/redis/client';
import { tokenFor } from '@/lib/server/testing/send-purchase';
import { type FastPathProcess, startFastPath } from '@/lib/server/testing/start-fast-path';
import { configureStock } from '@/lib/stock/configure-stock';
import { restock } from '@/lib/stock/restock';
import { eventually } from '@/test/support/eventually';
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
  eventually(async () => {
    const answer = await press(sale, strangerOf(sale), said);
    expect(answer.isPassed).toBe(false);
    return answer;
  }, 20);

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
  it('[K3 B5] a unit that comes back can be bought within 3 s, and a state that can be too old counts as none', async () => {
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
    // The shop itself reads the stock every 100 ms.
    expect(refusedAt - restockedAt).toBeLessThan(3_100);

    const again = await soldOutSale();
    // A clock that differs, or a cache that keeps states too long: what is known may be old.
    for (const offsetMs of [-3_100, 3_100]) {
      const now = Date.now;
      vi.spyOn(Date, 'now').mockImplementation(() => now() + offsetMs);
      expect((await press(again.sale, strangerOf(again.sale))).isPassed, String(offsetMs)).toBe(true);
      vi.restoreAllMocks();
    }
    await configureStock({ saleId: again.sale.saleId, epoch: again.sale.epoch, paused: true });
    await eventually(async () =>
      expect((await press(again.sale, strangerOf(again.sale))).body.code).toBe('PAUSED'),
    );
  });
});
