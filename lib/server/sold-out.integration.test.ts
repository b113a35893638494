import { describe, expect, it } from 'vitest';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { sendPurchase, tokenFor } from './testing/send-purchase';
import { openTwoWebs, untilFlagged } from './testing/two-webs';

const { origins } = openTwoWebs();

describe('sold-out flag', () => {
  it('[B5 C1] strangers are refused from memory; who has bought gets the first answer again', async () => {
    const sale = await createSaleFixture({ total: 1, users: 3 });
    const [a = '', b = ''] = origins();
    const winner = tokenFor(sale.saleId, sale.userIds[0] ?? '');
    const first = await sendPurchase(a, sale, winner);
    expect(first.status).toBe(202);
    await Promise.all([untilFlagged(a, sale), untilFlagged(b, sale)]);
    for (const origin of [a, b]) {
      expect(await sendPurchase(origin, sale, winner)).toMatchObject({
        status: 202,
        body: { orderNo: first.body.orderNo, replay: true },
      });
      const again = tokenFor(sale.saleId, sale.userIds[0] ?? '');
      expect(await sendPurchase(origin, sale, again)).toMatchObject({
        status: 409,
        body: { code: 'LIMIT_REACHED' },
      });
      const stranger = tokenFor(sale.saleId, sale.userIds[1] ?? '');
      expect(await sendPurchase(origin, sale, stranger)).toMatchObject({
        status: 409,
        body: { code: 'SOLD_OUT', available: 0 },
      });
      expect(await sendPurchase(origin, { ...sale, gate: 'x' }, stranger)).toMatchObject({ status: 403 });
    }
  });
});
