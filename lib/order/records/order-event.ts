import type { OrderEvent } from '@/lib/contract/shapes/order';
import type { OrderCause } from '@/lib/contract/words/order';

/** The person or part that made the change. */
export type EventActor = OrderEvent['actor'];

/** Column `order_events.cause`. */
export type StoredCause = Exclude<OrderCause, 'accepted' | 'written' | 'confirmed'>;
