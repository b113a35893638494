import 'server-only';
import type { OrderEvent } from '@/lib/contract/shapes/order';
import type { OrderCause, OrderStatus } from '@/lib/contract/words/order';
import { db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import type { EventActor } from './order-event';

/** Bounds the events read; the newest count. An order has fewer in normal operation. */
const MAX_EVENTS = 200;

/** The part of an order's own row that tells how it began. */
type Row = {
  userId: string;
  status: string;
  acceptedAt: Date;
  createdAt: Date;
  stockSettledAt: Date | null;
};

/**
 * Reads everything that happened to an order, oldest first. Its beginning comes from its own row, so that writing
 * 10,000 orders a second writes no history; later changes are in `order_events`.
 * @returns null if there is no such order.
 */
export async function readHistory(orderNo: string): Promise<{ userId: string; events: OrderEvent[] } | null> {
  const { shard, id } = orderKey(orderNo);
  const select = { userId: true, status: true, acceptedAt: true, createdAt: true, stockSettledAt: true };
  const [row, stored] = await Promise.all([
    db().order.findUnique({ where: { shard_id: { shard, id } }, select }),
    db().orderEvent.findMany({ where: { shard, orderId: id }, orderBy: { id: 'desc' }, take: MAX_EVENTS }),
  ]);
  if (!row) return null;
  const later = stored.reverse().map(
    (event): OrderEvent => ({
      at: event.at.getTime(),
      actor: { kind: event.actorKind as EventActor['kind'], ...(event.actorId ? { id: event.actorId } : {}) },
      from: event.fromStatus as OrderStatus,
      to: event.toStatus as OrderStatus,
      cause: event.cause as OrderCause,
      data: event.data as Record<string, unknown>,
    }),
  );
  const wasFailedAtOnce = later[0]?.cause === 'failed';
  return {
    userId: row.userId,
    events: [...beginnings(row, wasFailedAtOnce), ...later, ...outcome(row)],
  };
}

function beginnings({ userId, acceptedAt, createdAt }: Row, wasFailedAtOnce: boolean): OrderEvent[] {
  const actor: EventActor = { kind: 'shopper', id: userId };
  const accepted: OrderEvent = {
    at: acceptedAt.getTime(),
    actor,
    from: null,
    to: 'queued',
    cause: 'accepted',
    data: {},
  };
  if (wasFailedAtOnce) return [accepted];
  const written: OrderEvent = {
    at: createdAt.getTime(),
    actor: { kind: 'system' },
    from: 'queued',
    to: 'pending_payment',
    cause: 'written',
    data: {},
  };
  return [accepted, written];
}

function outcome({ status, stockSettledAt }: Row): OrderEvent[] {
  if (status !== 'paid' || !stockSettledAt) return [];
  const actor: EventActor = { kind: 'system' };
  return [{ at: stockSettledAt.getTime(), actor, from: 'paid', to: 'paid', cause: 'confirmed', data: {} }];
}
