import { afterAll, describe, expect, it } from 'vitest';
import * as orderRoute from '@/app/api/orders/[orderNo]/address/route';
import type { ShippingRule } from '@/lib/contract/shapes/shipping';
import { closeDb, db } from '@/lib/db/client';
import { changeOrderPrice } from '@/lib/order/admin/change-order-price';
import { exportOrders } from '@/lib/order/admin/export-orders';
import { findOrder } from '@/lib/order/find-order';
import { payOrder } from '@/lib/payment/pay-order';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { closeRedis } from '@/lib/redis/client';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import { editShop } from '@/lib/shop/admin/edit-shop';
import { readShop } from '@/lib/shop/admin/read-shop';
import { verifySale } from '@/lib/verify/verify-sale';
import { callWith } from '@/test/support/call-as';
import { ADDRESS, type ParcelOrder, parcelOrder } from './testing/parcel-order';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const AUSTRIA = { ...ADDRESS, city: 'Wien', postalCode: '1010', country: 'AT' };
const FRANCE = { ...ADDRESS, city: 'Paris', postalCode: '75001', country: 'FR' };

async function give({ session, orderNo }: ParcelOrder, address: typeof ADDRESS) {
  const answer = await callWith(session, orderRoute.PUT, {
    method: 'PUT',
    params: { orderNo },
    body: { address },
  });
  return answer.ok ? answer.status : ((await answer.json()) as { code: string }).code;
}

const moneyOf = async ({ userId, orderNo }: ParcelOrder) => {
  const order = await findOrder({ userId }, orderNo);
  const payment = await db().payment.findFirstOrThrow({ where: { orderId: BigInt(orderNo) } });
  expect(payment.amountMinor).toBe(order?.amountMinor);
  return [order?.shippingMinor, order?.amountMinor];
};

/** Creates an unpaid order of 500 g by parcel, in a shop with these prices in the order's currency. */
async function inShop(rules: Partial<ShippingRule>[]) {
  const made = await parcelOrder();
  const { productId, currency } = await db().sale.findUniqueOrThrow({ where: { id: made.saleId } });
  await db().product.update({ where: { id: productId }, data: { weightGrams: 500 } });
  const shipping = rules.map((rule) => ({
    currency,
    countries: [],
    maxGrams: null,
    priceMinor: 0,
    ...rule,
  }));
  await setShipping(made, shipping);
  const [, priceMinor = 0] = await moneyOf(made);
  return { ...made, currency, priceMinor };
}

async function setShipping({ merchant }: ParcelOrder, shipping: ShippingRule[]) {
  const shop = await readShop(merchant, merchant.userId);
  expect(await editShop(merchant, merchant.userId, { shipping, version: shop?.version ?? 0 })).toBe(
    'changed',
  );
}

describe('[O5] what a parcel costs', () => {
  it('becomes a part of the amount with the address, and changes with it while nothing was paid', async () => {
    const made = await inShop([
      { countries: ['DE'], priceMinor: 490 },
      { countries: ['AT'], maxGrams: 500, priceMinor: 1_290 },
    ]);
    const { priceMinor } = made;
    expect(await give(made, ADDRESS)).toBe(200);
    expect(await moneyOf(made)).toEqual([490, priceMinor + 490]);
    expect(await give(made, FRANCE)).toBe('NOT_SHIPPED_THERE');
    expect(await moneyOf(made)).toEqual([490, priceMinor + 490]);
    expect(await give(made, AUSTRIA)).toBe(200);
    expect(await moneyOf(made)).toEqual([1_290, priceMinor + 1_290]);
    expect((await verifySale(made.saleId))?.ok).toBe(true);
  });

  it('stays once the payment was opened: only the same country, or the same price, may still come', async () => {
    const made = await inShop([{ countries: ['DE', 'FR'], priceMinor: 490 }, { priceMinor: 1_290 }]);
    await give(made, ADDRESS);
    expect(await payOrder(made.userId, made.orderNo)).toMatchObject({ status: 'payable' });
    expect(await give(made, AUSTRIA)).toBe('SHIPPING_FIXED');
    expect(await give(made, FRANCE)).toBe(200);
    await payFor(made.orderNo);
    await setShipping(made, []);
    expect(await give(made, { ...FRANCE, lines: ['Rue 2'] })).toBe(200);
    expect(await moneyOf(made)).toEqual([490, made.priceMinor + 490]);
    expect((await verifySale(made.saleId))?.ok).toBe(true);
  });

  it('asks nothing of an order that was paid before its product went by parcel', async () => {
    const made = await inShop([{ countries: ['AT'], priceMinor: 490 }]);
    await payFor(made.orderNo);
    expect(await give(made, ADDRESS)).toBe(200);
    expect(await moneyOf(made)).toEqual([0, made.priceMinor]);
  });

  it('is kept by another price of the goods', async () => {
    const made = await inShop([{ priceMinor: 490 }]);
    await give(made, ADDRESS);
    const order = await findOrder(made, made.orderNo);
    const price = { priceMinor: 700, version: order?.version ?? 0 };
    expect(await changeOrderPrice(made.merchant, made.orderNo, price)).toMatchObject({ status: 'changed' });
    expect(await moneyOf(made)).toEqual([490, 1_190]);
  });

  it('is refused where the amount would exceed what a payment can be', async () => {
    const made = await inShop([{ priceMinor: 100_000_000 }]);
    await db().$executeRaw`
      WITH dear AS (UPDATE payments SET amount_minor = 2147483000 WHERE order_id = ${BigInt(made.orderNo)})
      UPDATE orders SET unit_price_minor = 2147483000, amount_minor = 2147483000 WHERE id = ${BigInt(made.orderNo)}`;
    expect(await give(made, ADDRESS)).toBe('NOT_SHIPPED_THERE');
  });
});

describe('[O5] the tax that a price includes', () => {
  it('is the product’s when the sale was published, on receipts and in the export', async () => {
    const made = await inShop([{ priceMinor: 490 }]);
    const sale = await db().sale.findUniqueOrThrow({ where: { id: made.saleId } });
    const rateOf = async () => (await findOrder(made, made.orderNo))?.taxRate;
    const rate = (taxRate: number) =>
      db().product.update({ where: { id: sale.productId }, data: { taxRate } });
    await rate(1_900);
    expect(await rateOf()).toBeNull();
    await db().sale.update({ where: { id: made.saleId }, data: { status: 'draft' } });
    expect(await publishSale(made.merchant, made.saleId)).toMatchObject({ status: 'changed' });
    await rate(700);
    await publishSale(made.merchant, made.saleId);
    expect(await rateOf()).toBe(1_900);

    await give(made, ADDRESS);
    const csv = [];
    for await (const part of exportOrders(made.merchant, { saleId: made.saleId })) csv.push(part);
    const [head = '', line = ''] = csv.join('').split('\r\n');
    const cells = Object.fromEntries(head.split(',').map((name, at) => [name, line.split(',')[at]]));
    const tax = (Math.round(((made.priceMinor + 490) * 19) / 119) / 100).toFixed(2);
    expect(cells).toMatchObject({ shipping: '4.90', tax_percent: '19', tax });
  });
});
