import 'server-only';
import type { Inngest } from 'inngest';
import { LRUCache } from 'lru-cache';
import { compensateOrders } from '@/lib/checkout/order/compensate-orders';
import { createOrders } from '@/lib/checkout/order/create-orders';
import { packedBatchSchema, unpackBatch } from '@/lib/outbox/order-batch';
import { ordersAccepted } from '../events';
import { dueTimer } from './due-timer';

/** The ids of the timers that this process has set lately: the next batch need not set them again. */
const setTimers = new LRUCache<string, true>({ max: 10_000 });

/**
 * Turns accepted purchases into orders and sets the timer for those that stay unpaid. It has no steps: both parts are
 * idempotent, so a new attempt may repeat them. The batch then makes one trip to the executor and back; each step
 * would add another.
 */
export const createOrdersFunction = (inngest: Inngest) =>
  inngest.createFunction(
    {
      id: 'create-orders',
      triggers: [ordersAccepted],
      retries: 4,
      // Batches of one sale take turns at its row anyway. More at a time would only take connections from the
      // shoppers.
      concurrency: 5,
      onFailure: ({ event, error, step }) => {
        const batch = unpackBatch(packedBatchSchema.parse(event.data.event.data));
        return step.run('compensate', () => compensateOrders(batch, error.message));
      },
    },
    async ({ event }) => {
      const batch = unpackBatch(event.data);
      const { orderNos, deadlineAt } = await createOrders(batch);
      if (deadlineAt === null) return { orders: 0 };
      const timer = dueTimer(batch.saleId, deadlineAt);
      if (!setTimers.has(timer.id)) {
        await inngest.send(timer.event);
        setTimers.set(timer.id, true);
      }
      return { orders: orderNos.length };
    },
  );
