import 'server-only';
import type { Db } from '@/lib/db/client';
import { shardOf } from '@/lib/ids/shard-of';
import { MAX_AMOUNT_MINOR } from '@/lib/money';
import { lockPriced } from '@/lib/order/records/lock-priced';
import { repriceRow } from '@/lib/order/records/reprice-row';
import { toShipping } from '@/lib/shop/records/shipping';
import { priceShipping } from './price-shipping';

/** `not_shipped`: the shop does not ship there; `price_fixed`: it costs something else there, and the amount is fixed. */
export type ParcelRefusal = 'not_shipped' | 'price_fixed';

type Parcel = { grams: number; shipping: unknown; country: string | null };

/**
 * Puts the price of shipping to a country into an order's amount while that is open. Once it is fixed, only the same country or
 * the same price passes; without an earlier address any country does (decision 145). Locks payment and order.
 * @returns null: the address may be given
 */
export async function chargeShipping(
  tx: Db,
  userId: string,
  orderNo: string,
  country: string,
): Promise<ParcelRefusal | null> {
  const [parcel] = await tx.$queryRaw<Parcel[]>`
    SELECT coalesce(g.weight_grams, 0)::float8 * o.quantity AS grams, h.shipping, d.address ->> 'country' AS country
    FROM orders o JOIN sales s ON s.id = o.sale_id JOIN products g ON g.id = s.product_id
    JOIN shops h ON h.id = s.merchant_id
    LEFT JOIN deliveries d ON d.shard = o.shard AND d.order_id = o.id
    WHERE o.shard = ${shardOf(userId)}::smallint AND o.id = ${BigInt(orderNo)} AND o.user_id = ${userId}
      AND (g.delivery = 'parcel' OR d.order_id IS NOT NULL)`;
  const order = parcel && (await lockPriced(tx, orderNo));
  if (!order) return null;
  const isFixed = order.isOpened || order.status !== 'pending_payment';
  if (isFixed && (parcel.country === null || parcel.country === country)) return null;
  const { currency, quantity, unitPriceMinor } = order;
  const shippingMinor = priceShipping(toShipping(parcel.shipping), {
    currency,
    country,
    grams: parcel.grams,
  });
  const amountMinor = unitPriceMinor * quantity + (shippingMinor ?? 0);
  if (shippingMinor === null || amountMinor > MAX_AMOUNT_MINOR) return 'not_shipped';
  if (shippingMinor === order.shippingMinor) return null;
  const isRepriced = await repriceRow(tx, orderNo, { unitPriceMinor, shippingMinor, amountMinor });
  return isRepriced ? null : 'price_fixed';
}
