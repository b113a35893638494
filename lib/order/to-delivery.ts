import type { DeliveryView } from '@/lib/contract/shapes/delivery';
import type { DeliveryState } from '@/lib/contract/words/delivery';
import type { Delivery } from '@/prisma/generated/client';

type Times = 'packedAt' | 'shippedAt' | 'deliveredAt';
/** What a view shows of a delivery's row. */
export type DeliveryRow = Pick<Delivery, Times | 'state' | 'carrier' | 'trackingNumber' | 'trackingUrl'> & {
  hasAddress: boolean;
};

/**
 * Returns how far the parcel of an order is; null: nothing is sent.
 * @param kind of its product now
 * @param row null: nobody has given an address
 */
export function toDelivery(kind: string, row: DeliveryRow | null): DeliveryView | null {
  if (kind === 'none' && row === null) return null;
  return {
    state: (row?.state ?? 'waiting') as DeliveryState,
    hasAddress: row?.hasAddress ?? false,
    carrier: row?.carrier ?? null,
    trackingNumber: row?.trackingNumber ?? null,
    trackingUrl: row?.trackingUrl ?? null,
    packedAt: row?.packedAt?.getTime() ?? null,
    shippedAt: row?.shippedAt?.getTime() ?? null,
    deliveredAt: row?.deliveredAt?.getTime() ?? null,
  };
}
