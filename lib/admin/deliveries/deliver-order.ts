import 'server-only';
import { endDelivery } from '@/lib/order/move-delivery';
import type { Actor } from '../actor';
import { type StepResult, takeStep } from './take-step';

/** Marks an order on its way as delivered, refunded meanwhile or not. Again changes nothing. */
export const deliverOrder = (actor: Actor, orderNo: string): Promise<StepResult> =>
  takeStep(actor, orderNo, {
    action: 'order.deliver',
    from: 'shipped',
    to: 'delivered',
    needsPaid: false,
    move: (tx) => endDelivery(tx, orderNo),
  });
