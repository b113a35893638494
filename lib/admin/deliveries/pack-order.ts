import 'server-only';
import { packDelivery } from '@/lib/order/move-delivery';
import type { Actor } from '../actor';
import { type StepResult, takeStep } from './take-step';

/** Marks a paid order as packed: from then on its address is fixed. Packing again changes nothing. */
export const packOrder = (actor: Actor, orderNo: string): Promise<StepResult> =>
  takeStep(actor, orderNo, {
    action: 'order.pack',
    from: 'waiting',
    to: 'packed',
    needsPaid: true,
    move: (tx) => packDelivery(tx, orderNo),
  });
