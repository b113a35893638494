import { describe, expect, it } from 'vitest';
import { env } from '@/lib/env';
import worker from './sold-out-worker.js';
import { HOST, openEdgeShop, press, pressAtEdge, shop, soldOutSale, strangerOf } from './testing/edge-shop';

openEdgeShop();

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
});
