import 'server-only';
import type { Inngest } from 'inngest';
import { LRUCache } from 'lru-cache';
import { compensateOrders } from '@/lib/checkout/order/compensate-orders';
import { createOrders } from '@/lib/checkout/order/create-orders';
import { unpackOrders } from '@/lib/outbox/order-batch';
import { ordersAccepted } from '../events';
import { dueTimers, type Ring, ringFor } from './due-timers';

/** The rings that this process has set lately, by sale and moment: the next orders need not set them again. */
const alreadySet = new LRUCache<string, true>({ max: 10_000 });
const keyOf = ({ saleId, at }: Ring) => `${saleId}:${at}`;

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
      const rings = [...deadlines]
        .map(([saleId, deadlineAt]) => ringFor(saleId, deadlineAt))
        .filter((ring) => !alreadySet.has(keyOf(ring)));
      if (rings.length > 0) await inngest.send(dueTimers(rings));
      for (const ring of rings) alreadySet.set(keyOf(ring), true);
      return { orders: orderNos.length };
    },
  );
