import { afterAll, describe, expect, it } from 'vitest';
import { closeSale } from '@/lib/admin/sales/close-sale';
import { setSalePaused } from '@/lib/admin/sales/pause-sale';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { forgetSaleInfo } from '@/lib/sale/find-sale-info';
import { decideQueue } from '@/lib/stock/decide-queue';
import { readStock } from '@/lib/stock/read-stock';
import { expectSound } from '@/test/support/expect-sound';
import { ensureStockLoaded } from '../recovery/ensure-stock-loaded';
import { retireClosedSales } from '../recovery/retire-closed-sales';
import { decideWaiting } from './decide-waiting';
import {
  ageLoading,
  ask,
  loseAll,
  queueSale,
  readOrder,
  type Sale,
  tokenFor,
  users,
} from './testing/queue-fixture';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

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
    expect(await retireClosedSales()).not.toContain(sale.saleId);
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
