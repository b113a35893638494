import type { Actor } from '@/lib/actor/actor';
import { address } from '@/lib/contract/shapes/address';
import { db } from '@/lib/db/client';
import { putAddress } from '@/lib/delivery/records/put-address';
import { shardOf } from '@/lib/ids/shard-of';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { sessionOf } from '@/test/support/call-as';

export const ADDRESS = {
  name: 'Ada',
  lines: ['Unter den Linden 1'],
  city: 'Berlin',
  postalCode: '10117',
  country: 'DE',
};
/** The same as it is kept. */
export const KEPT = address.parse(ADDRESS);

/** For tests: has the product of a sale sent by parcel, or reach its buyers in another way. */
export async function sendByParcel(
  saleId: string,
  delivery: 'parcel' | 'digital' = 'parcel',
): Promise<Actor> {
  const { productId, merchantId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  await db().product.update({ where: { id: productId }, data: { delivery } });
  await db().user.update({ where: { id: merchantId }, data: { role: 'merchant' } });
  return { userId: merchantId, role: 'merchant' };
}

/** For tests: creates an order that goes by parcel; a paid one has an address. */
export async function parcelOrder({ isPaid = false } = {}) {
  const made = await createOrderFixture();
  const merchant = await sendByParcel(made.saleId);
  if (isPaid) {
    await putAddress(db(), made.userId, made.orderNo, KEPT);
    await payFor(made.orderNo);
  }
  return { ...made, shard: shardOf(made.userId), merchant, session: await sessionOf(made.userId) };
}
export type ParcelOrder = Awaited<ReturnType<typeof parcelOrder>>;
