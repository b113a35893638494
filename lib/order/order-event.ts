import type { OrderStatus } from './types';

/** Who did it. `provider` is a payment provider, `system` the clock and the functions that follow it. */
export type Actor = { kind: 'shopper' | 'merchant' | 'provider' | 'system'; id?: string };

/** Column `order_events.cause`. The first two and `confirmed` are never stored: the order's own row tells them. */
export const ORDER_CAUSES = [
  ...(['accepted', 'written', 'confirmed', 'paid', 'expired', 'cancelled_by_shopper'] as const),
  ...(['cancelled_by_merchant', 'failed', 'revived', 'price_changed', 'payment_late'] as const),
  ...(['late_payment_kept', 'payment_mismatch', 'refund_requested', 'money_returned'] as const),
] as const;

export type OrderCause = (typeof ORDER_CAUSES)[number];

export type StoredCause = Exclude<OrderCause, 'accepted' | 'written' | 'confirmed'>;

/** One change of an order: when (epoch ms), who, from where to where, and why. */
export type OrderEvent = {
  at: number;
  actor: Actor;
  from: OrderStatus | null;
  to: OrderStatus;
  cause: OrderCause;
  /** What else is worth knowing: amounts in minor units, reasons, versions. */
  data: Record<string, unknown>;
};
