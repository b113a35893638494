import { afterAll, expect, it, vi } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { OutageError } from '@/lib/errors/outage-error';
import { closeRedis } from '@/lib/redis/client';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { decideWaiting } from './decide-waiting';
import { ask, queueSale, readOrder, users } from './testing/queue-fixture';

vi.mock(import('@/lib/sale/find-sale-info'), async (original) => {
  const real = await original();
  return { ...real, findSaleInfo: vi.fn(real.findSaleInfo) };
});

afterAll(() => Promise.all([closeRedis(), closeDb()]));

it('[C10 E1] a purchase that waits is not told to be lost while the sale can’t be read for a moment', async () => {
  const { sale } = await queueSale();
  const [ada = ''] = await users(1);
  const { orderNo } = await ask(sale, ada);
  vi.mocked(findSaleInfo).mockRejectedValueOnce(new OutageError('Postgres is away'));
  expect(await readOrder(ada, orderNo, sale.saleId)).toMatchObject({ http: 200, status: 'undecided' });
  await decideWaiting(sale);
  expect(await readOrder(ada, orderNo, sale.saleId)).toMatchObject({ http: 200, status: 'queued' });
});
