import { describe, expect, it, vi } from 'vitest';
import { tokenFor } from '@/lib/server/testing/send-purchase';
import { configureStock } from '@/lib/stock/configure-stock';
import { restock } from '@/lib/stock/restock';
import { eventually } from '@/test/support/eventually';
import { openEdgeShop, press, soldOutSale, strangerOf } from './testing/edge-shop';

openEdgeShop();

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
