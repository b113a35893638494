import 'server-only';
import type { Inngest } from 'inngest';
import { LRUCache } from 'lru-cache';
import { compensateOrders } from '@/lib/checkout/order/compensate-orders';
import { createOrders } from '@/lib/checkout/order/create-orders';
import { unpackOrders } from '@/lib/outbox/order-batch';
import { ordersAccepted } from '../events';
import { dueTimer } from './due-timer';

/** The ids of the timers that this process has set lately: the next batch need not set them again. */
const setTimers = new LRUCache<string, true>({ max: 10_000 });

/**
 * Turns accepted purchases into orders and sets the timers for those that stay unpaid. It has no steps: both parts are
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
      onFailure: ({ event, error, step }) =>
        step.run('compensate', async () => {
          for (const batch of unpackOrders(event.data.event.data))
            await compensateOrders(batch, error.message);
        }),
    },
    async ({ event }) => {
      const { orderNos, deadlines } = await createOrders(...unpackOrders(event.data));
      const timers = [...deadlines]
        .map(([saleId, deadlineAt]) => dueTimer(saleId, deadlineAt))
        .filter(({ id }) => !setTimers.has(id));
      if (timers.length > 0) await inngest.send(timers.map((timer) => timer.event));
      for (const { id } of timers) setTimers.set(id, true);
      return { orders: orderNos.length };
    },
  );
