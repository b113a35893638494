import 'server-only';
import type { Inngest } from 'inngest';
import { LRUCache } from 'lru-cache';
import { halveOrders, packOrders, unpackOrders } from '@/lib/outbox/order-batch';
import { createOrders } from '@/lib/settlement/create-orders';
import { ordersAccepted } from '../events';
import { dueTimers, type Ring, ringFor } from './due-timers';
import { gaveUpOnServers, waitForServers } from './wait-for-servers';

/** How long purchases rest whose run has used up its attempts, ms. */
const SEND_AGAIN_MS = 5_000;

/** The rings that this process has set lately, by sale and moment: the next orders need not set them again. */
const alreadySet = new LRUCache<string, true>({ max: 10_000 });
const keyOf = ({ saleId, at }: Ring) => `${saleId}:${at}`;

/**
 * Turns accepted purchases into orders and sets the timers for unpaid ones. It has no steps: a new attempt may repeat
 * both parts, and each step costs another trip. `createOrders` itself ends a faulty order. A run fails only because of a
 * server or our own code: its orders are sent again, in halves if it was our code.
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
      onFailure: async ({ event: { data }, error }) => {
        const batches = unpackOrders(data.event.data);
        // One purchase that our own code can't handle must not hold up the others of its batch.
        const parts = gaveUpOnServers(error) ? [batches] : halveOrders(batches);
        const ts = Date.now() + SEND_AGAIN_MS;
        await inngest.send(
          parts.map((part, nth) =>
            ordersAccepted.create(packOrders(part), { id: `${data.run_id}-again-${nth}`, ts }),
          ),
        );
      },
    },
    async ({ event }) => {
      const { orderNos, deadlines } = await waitForServers(() => createOrders(...unpackOrders(event.data)));
      const rings = [...deadlines]
        .map(([saleId, deadlineAt]) => ringFor(saleId, deadlineAt))
        .filter((ring) => !alreadySet.has(keyOf(ring)));
      if (rings.length > 0) await inngest.send(dueTimers(rings));
      for (const ring of rings) alreadySet.set(keyOf(ring), true);
      return { orders: orderNos.length };
    },
  );
