import 'server-only';
import type { Inngest } from 'inngest';
import { compensateOrders } from '@/lib/checkout/order/compensate-orders';
import { createOrders } from '@/lib/checkout/order/create-orders';
import { packedBatchSchema, unpackBatch } from '@/lib/outbox/order-batch';
import { ordersAccepted, ordersDue } from '../events';
import { CLOCK_MARGIN_MS } from './clock-margin';

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
    async ({ event, runId }) => {
      const batch = unpackBatch(event.data);
      const { orderNos, deadlineAt } = await createOrders(batch);
      if (deadlineAt === null) return { orders: 0 };
      // An event with a future time starts its function at that time: a timer that costs nothing until then.
      const timer = { id: `orders/due:${event.id ?? runId}`, ts: deadlineAt + CLOCK_MARGIN_MS };
      await inngest.send(ordersDue.create({ saleId: batch.saleId, orderNos }, timer));
      return { orders: orderNos.length };
    },
  );
