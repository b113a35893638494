import 'server-only';
import type { DeliveryMove } from '@/lib/contract/shapes/delivery';
import type { DeliveryStep } from '@/lib/contract/words/delivery';
import type { Db } from '@/lib/db/client';

/** From which steps each step may follow, and whether only for a paid order: what is on its way may be refunded meanwhile. */
const RULES: Record<DeliveryMove['to'], { from: DeliveryStep[]; needsPaid: boolean }> = {
  packed: { from: ['waiting'], needsPaid: true },
  shipped: { from: ['packed'], needsPaid: true },
  delivered: { from: ['shipped'], needsPaid: false },
  returned: { from: ['shipped', 'delivered'], needsPaid: false },
};

/** Returns what the carrier calls a parcel; nothing unless the step sends it on its way. */
export const trackingOf = (move: DeliveryMove) => {
  const { carrier, trackingNumber, trackingUrl } = move.to === 'shipped' ? move : {};
  return {
    carrier: carrier ?? null,
    trackingNumber: trackingNumber ?? null,
    trackingUrl: trackingUrl ?? null,
  };
};

/**
 * Takes a step of an order's parcel, if it stands where the step begins. The order's row is held until the transaction ends:
 * a refund comes before the step, which then is not taken, or after it.
 * @returns the step before; null: not taken, because the parcel is elsewhere, the order is not paid, or there is no address
 */
export async function moveDelivery(
  tx: Db,
  orderNo: string,
  move: DeliveryMove,
): Promise<DeliveryStep | null> {
  const { from, needsPaid } = RULES[move.to];
  const { carrier, trackingNumber, trackingUrl } = trackingOf(move);
  const [row] = await tx.$queryRaw<{ before: DeliveryStep }[]>`
    WITH held AS (
      SELECT shard, id, status FROM orders
      WHERE shard = (${BigInt(orderNo)}::bigint & 1023)::smallint AND id = ${BigInt(orderNo)}::bigint FOR SHARE)
    UPDATE deliveries d SET
      step = ${move.to}, updated_at = now(),
      packed_at = CASE ${move.to} WHEN 'packed' THEN now() ELSE packed_at END,
      shipped_at = CASE ${move.to} WHEN 'shipped' THEN now() ELSE shipped_at END,
      delivered_at = CASE ${move.to} WHEN 'delivered' THEN now() ELSE delivered_at END,
      returned_at = CASE ${move.to} WHEN 'returned' THEN now() ELSE returned_at END,
      carrier = coalesce(${carrier}, carrier), tracking_number = coalesce(${trackingNumber}, tracking_number),
      tracking_url = coalesce(${trackingUrl}, tracking_url)
    FROM held
    WHERE d.shard = held.shard AND d.order_id = held.id AND d.step = ANY (${from}::text[])
      AND (held.status = 'paid' OR NOT ${needsPaid}) AND (d.address IS NOT NULL OR ${move.to} <> 'packed')
    RETURNING old.step AS before`;
  return row?.before ?? null;
}
