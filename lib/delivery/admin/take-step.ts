import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import type { DeliveryMove } from '@/lib/contract/shapes/delivery';
import type { ManagedOrderView, WrittenOrderView } from '@/lib/contract/shapes/order';
import type { DeliveryStep } from '@/lib/contract/words/delivery';
import { transaction } from '@/lib/db/transaction';
import { moveDelivery, trackingOf } from '@/lib/delivery/records/move-delivery';
import { findManagedOrder } from '@/lib/order/admin/find-managed-order';
import { readManagedOrder } from '@/lib/order/admin/read-managed-order';
import { noticesOf } from '@/lib/order/records/announce';
import { putMessages } from '@/lib/outbox/put-message';

type StepRefusal =
  | { status: 'not_found' | 'no_parcel' | 'address_missing' }
  | { status: 'not_paid'; is: string }
  /** The parcel is at another step, or on its way under another number. */
  | { status: 'wrong_step'; is: DeliveryStep };
type StepResult = { status: 'done'; order: ManagedOrderView } | StepRefusal;

const ACTIONS = { packed: 'pack', shipped: 'ship', delivered: 'deliver', returned: 'return' } as const;

/**
 * Takes the next step of an order's parcel, on record. Its shopper is told when it is on its way. The same step again changes
 * nothing; another number for a parcel on its way is refused, so that of two people neither overwrites the other.
 * @throws NotAllowedError as `mayManage`
 */
export async function takeStep(actor: Actor, orderNo: string, move: DeliveryMove): Promise<StepResult> {
  const found = await findManagedOrder(actor, orderNo);
  if (!found) return { status: 'not_found' };
  const { saleId } = found.order;
  const isTaken = await transaction(async (tx) => {
    if (!(await mayManage(actor, found.shopId, 'work', tx))) return null;
    const before = await moveDelivery(tx, orderNo, move);
    if (before === null) return false;
    if (move.to === 'shipped') await putMessages(tx, noticesOf('order_shipped', { saleId, orderNo }));
    await recordAction(tx, actor, {
      action: `order.${ACTIONS[move.to]}`,
      subject: { kind: 'order', id: orderNo },
      before: { step: before },
      after: { step: move.to, ...(move.to === 'shipped' && trackingOf(move)) },
      ...(move.to === 'returned' && { reason: move.reason }),
    });
    return true;
  });
  const order = isTaken === null ? null : await readManagedOrder(actor, orderNo);
  if (!order) return { status: 'not_found' };
  return isTaken || isThere(order, move) ? { status: 'done', order } : whyNot(order, move);
}

/** Tells whether an order's parcel stands as the step would have left it. */
function isThere({ delivery }: WrittenOrderView, move: DeliveryMove): boolean {
  if (delivery?.step !== move.to) return false;
  const asked = trackingOf(move);
  return (
    move.to !== 'shipped' ||
    (asked.carrier === delivery.carrier &&
      asked.trackingNumber === delivery.trackingNumber &&
      asked.trackingUrl === delivery.trackingUrl)
  );
}

function whyNot({ status, delivery }: WrittenOrderView, { to }: DeliveryMove): StepRefusal {
  if (delivery?.step == null) return { status: 'no_parcel' };
  const { step, hasAddress } = delivery;
  if (status !== 'paid' && (to === 'packed' || to === 'shipped')) return { status: 'not_paid', is: status };
  return step === 'waiting' && to === 'packed' && !hasAddress
    ? { status: 'address_missing' }
    : { status: 'wrong_step', is: step };
}
