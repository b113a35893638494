import 'server-only';
import { noticesOf } from '@/lib/checkout/order/announce';
import { tellShipped } from '@/lib/checkout/order/tell-shipped';
import type { Parcel } from '@/lib/contract/shapes/delivery';
import { forgetIfDeleted } from '@/lib/order/forget-addresses';
import { shipDelivery } from '@/lib/order/move-delivery';
import { putMessages } from '@/lib/outbox/put-message';
import type { Actor } from '../actor';
import { type StepResult, takeStep } from './take-step';

/**
 * Marks a packed order as on its way, and has its shopper and the shop's webhooks told. The same parcel again changes
 * nothing; another one is refused, so that of two people who type at once neither overwrites the other.
 */
export const shipOrder = (actor: Actor, orderNo: string, parcel: Parcel): Promise<StepResult> =>
  takeStep(actor, orderNo, {
    action: 'order.ship',
    from: 'packed',
    to: 'shipped',
    needsPaid: true,
    facts: { carrier: parcel.carrier, trackingNumber: parcel.trackingNumber },
    isDone: ({ carrier, trackingNumber, trackingUrl }) =>
      carrier === parcel.carrier &&
      trackingNumber === parcel.trackingNumber &&
      trackingUrl === (parcel.trackingUrl ?? null),
    move: async (tx, { order: { saleId } }) => {
      if (!(await shipDelivery(tx, orderNo, parcel))) return false;
      await putMessages(tx, noticesOf('order_shipped', { saleId, orderNo }));
      await tellShipped(tx, orderNo, parcel);
      await forgetIfDeleted(tx, orderNo);
      return true;
    },
  });
