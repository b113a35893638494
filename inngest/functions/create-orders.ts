import 'server-only';
import type { Inngest } from 'inngest';
import { compensateOrders } from '@/lib/checkout/order/compensate-orders';
import { createOrders } from '@/lib/checkout/order/create-orders';
import { packedBatchSchema, unpackBatch } from '@/lib/outbox/order-batch';
import { ordersAccepted, ordersDue } from '../events';
import { CLOCK_MARGIN_MS } from './clock-margin';

/**
 * Accepted purchases become orders; the timer for those that stay unpaid is set. Without steps: both are idempotent, so
 * an attempt repeats them, and the batch makes one trip to the executor and back where every step would add one.
 */
export const createOrdersFunction = (inngest: Inngest) =>
  inngest.createFunction(
    {
      id: 'create-orders',
      triggers: [ordersAccepted],
      retries: 4,
      // Batches of a sale take turns at its row anyway; more at a time would only take connections from the shoppers.
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
      // An event of the future starts its function then: a timer that costs nothing until it rings.
      const timer = { id: `orders/due:${event.id ?? runId}`, ts: deadlineAt + CLOCK_MARGIN_MS };
      await inngest.send(ordersDue.create({ saleId: batch.saleId, orderNos }, timer));
      return { orders: orderNos.length };
    },
  );
