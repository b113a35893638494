import { afterAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { releaseOrderNos } from '@/lib/order/issue-order-no';
import { readOpenSales } from '@/lib/outbox/open-sales';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { readStock } from '@/lib/stock/read-stock';
import { createSplitSale, readUnits, sellTo, userIn } from './testing/split-sale';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

describe('a split sale', () => {
  it('[M10] deals its units, reads as one, and has the relays read every outbox', async () => {
    const sale = await createSplitSale({ total: 10 });
    expect(await readUnits(sale)).toMatchObject({
      available: [3, 3, 2, 2],
      totals: [3, 3, 2, 2],
      dealt: [3, 3, 2, 2],
      parcels: [],
    });
    expect(await readStock(sale.saleId)).toMatchObject({ total: 10, available: 10, held: 0, sold: 0 });
    expect(await readOpenSales()).toEqual(expect.arrayContaining([...sale.stocks]));
    const row = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
    expect([row.epoch, row.sliceEpochs]).toEqual([5, [2, 3, 4, 5]]);
  });

  it('[M10] sells every unit to the buyers of any slice, and says sold out when all are', async () => {
    const sale = await createSplitSale({ total: 10 });
    const answers: string[] = [];
    for (let n = 0; n < 13; n += 1) answers.push((await sellTo(sale, userIn(sale, 2))).status);
    expect(answers).toEqual([...Array(10).fill('accepted'), 'sold_out', 'sold_out', 'sold_out']);
    expect(await readUnits(sale)).toMatchObject({
      available: [0, 0, 0, 0],
      totals: [0, 0, 10, 0],
      dealt: [0, 0, 10, 0],
      sent: [0, 0, 0, 0],
      parcels: [],
    });
    expect(await stockRedis().xlen(keys.outbox(sale.stocks[2] as string))).toBe(10);
  });
});
