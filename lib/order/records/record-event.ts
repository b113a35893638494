import 'server-only';
import type { OrderStatus } from '@/lib/contract/words/order';
import type { Db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import type { EventActor, StoredCause } from './order-event';

/** A change to record; `data` must be JSON. */
type NewOrderEvent = {
  orderNo: string;
  actor: EventActor;
  from: OrderStatus;
  to: OrderStatus;
  cause: StoredCause;
  data?: Record<string, unknown>;
};

/**
 * Records one change of an order in the transaction of the change. Expiry is one statement of many rows and records
 * its rows itself. Records can't be changed: a trigger refuses it.
 */
export async function recordEvent(tx: Db, event: NewOrderEvent): Promise<void> {
  const { shard, id } = orderKey(event.orderNo);
  await tx.$executeRaw`
    INSERT INTO order_events (shard, order_id, actor_kind, actor_id, from_status, to_status, cause, data)
    VALUES (${shard}::smallint, ${id}, ${event.actor.kind}, ${event.actor.id ?? null}, ${event.from}, ${event.to},
            ${event.cause}, ${JSON.stringify(event.data ?? {})}::jsonb)`;
}
