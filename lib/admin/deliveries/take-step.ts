import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import type { ManagedOrderView } from '@/lib/contract/shapes/order';
import type { DeliveryState } from '@/lib/contract/words/delivery';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { type DeliveryStand, lockDelivery } from '@/lib/order/move-delivery';
import { type Actor, mayManage } from '../actor';
import { findManagedOrder, type ManagedOrder } from '../orders/find-managed-order';
import { readManagedOrder } from '../orders/read-managed-order';

type StepRefusal =
  | { status: 'not_found' | 'no_delivery' | 'address_missing' }
  | { status: 'not_paid'; is: string }
  /** It is at another step, or another parcel is on its way. */
  | { status: 'wrong_state'; is: DeliveryState };
export type StepResult = { status: 'done'; order: ManagedOrderView } | StepRefusal;

type Step = {
  action: 'order.pack' | 'order.ship' | 'order.deliver';
  from: DeliveryState;
  to: DeliveryState;
  /** What else the audit log keeps of it. */
  facts?: Record<string, string>;
  /** Whether only a paid order takes this step. */
  needsPaid: boolean;
  /** Tells whether what stands there already is what this step would have made. */
  isDone?: (stand: DeliveryStand) => boolean;
  move: (tx: Db, order: ManagedOrder) => Promise<boolean>;
};

/**
 * Moves the delivery of an order by one step, and writes it into the audit log. The order is locked: it is not refunded
 * meanwhile, and of two who take the same step one does, and both are told that it is done.
 * @throws NotAllowedError as `mayManage`
 */
export async function takeStep(actor: Actor, orderNo: string, step: Step): Promise<StepResult> {
  const found = await findManagedOrder(actor, orderNo);
  if (!found) return { status: 'not_found' };
  const refusal = await transaction(async (tx): Promise<StepRefusal | null> => {
    if (!(await mayManage(actor, found.shopId, 'refunds', tx))) return { status: 'not_found' };
    const stand = await lockDelivery(tx, orderNo);
    if (!stand) return { status: 'not_found' };
    const refused = judge(stand, step);
    if (refused !== 'go') return refused;
    if (!(await step.move(tx, found)))
      throw new Error(`the delivery of order ${orderNo} moved under its lock`);
    await recordAction(tx, actor, {
      action: step.action,
      subject: { kind: 'order', id: orderNo },
      before: { delivery: step.from },
      after: { delivery: step.to, ...step.facts },
    });
    return null;
  });
  if (refusal) return refusal;
  const order = await readManagedOrder(actor, orderNo);
  return order ? { status: 'done', order } : { status: 'not_found' };
}

/** @returns `go`: the step is to be taken; null: it has been taken */
function judge(stand: DeliveryStand, step: Step): 'go' | StepRefusal | null {
  if (!stand.isShipped) return { status: 'no_delivery' };
  const state = stand.state ?? 'waiting';
  if (state === step.to && (step.isDone?.(stand) ?? true)) return null;
  if (step.needsPaid && stand.orderStatus !== 'paid') return { status: 'not_paid', is: stand.orderStatus };
  if (state !== step.from) return { status: 'wrong_state', is: state };
  return step.to === 'packed' && !stand.hasAddress ? { status: 'address_missing' } : 'go';
}
