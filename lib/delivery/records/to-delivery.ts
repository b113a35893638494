import type { OrderDelivery } from '@/lib/contract/shapes/delivery';
import type { DeliveryStep, DeliveryWay } from '@/lib/contract/words/delivery';
import type { Delivery } from '@/prisma/generated/client';

/** The part of a delivery's row that views show. */
export type DeliveryRow = Pick<
  Delivery,
  | 'step'
  | 'carrier'
  | 'trackingNumber'
  | 'trackingUrl'
  | 'packedAt'
  | 'shippedAt'
  | 'deliveredAt'
  | 'returnedAt'
> & { hasAddress: boolean };

/**
 * Returns how an order reaches its buyer; null: the merchant says nothing. An order that has an address goes there, even
 * if its product is not sent any more.
 * @param row null: no address was given
 */
export function toOrderDelivery(
  { delivery, pickupPlace }: { delivery: string | null; pickupPlace: string | null },
  row: DeliveryRow | null,
): OrderDelivery | null {
  if (delivery === null && row === null) return null;
  const isParcel = row !== null || delivery === 'parcel';
  return {
    way: isParcel ? 'parcel' : (delivery as DeliveryWay),
    place: isParcel ? null : pickupPlace,
    step: isParcel ? ((row?.step ?? 'waiting') as DeliveryStep) : null,
    hasAddress: row?.hasAddress ?? false,
    carrier: row?.carrier ?? null,
    trackingNumber: row?.trackingNumber ?? null,
    trackingUrl: row?.trackingUrl ?? null,
    packedAt: row?.packedAt?.getTime() ?? null,
    shippedAt: row?.shippedAt?.getTime() ?? null,
    deliveredAt: row?.deliveredAt?.getTime() ?? null,
    returnedAt: row?.returnedAt?.getTime() ?? null,
  };
}
