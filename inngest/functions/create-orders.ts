import 'server-only';
import type { Inngest } from 'inngest';
import { compensateOrders } from '@/lib/checkout/compensate-orders';
import { createOrders } from '@/lib/checkout/create-orders';
import { orderBatchSchema } from '@/lib/outbox/accepted-order';
import { ordersAccepted, ordersCreated } from '../events';

/** Accepted purchases become orders; the timer for those that stay unpaid is set. */
export const createOrdersFunction = (inngest: Inngest) =>
  inngest.createFunction(
    {
      id: 'create-orders',
      triggers: [ordersAccepted],
      retries: 4,
      // Batches of a sale take turns at its row anyway; more at a time would only take connections from the shoppers.
      concurrency: 5,
      onFailure: ({ event, error, step }) => {
        const batch = orderBatchSchema.parse(event.data.event.data);
        return step.run('compensate', () => compensateOrders(batch, error.message));
      },
    },
    async ({ event, step, runId }) => {
      const { saleId } = event.data;
      const { orderNos, deadlineAt } = await step.run('write-orders', () => createOrders(event.data));
      if (deadlineAt === null) return { orders: 0 };
      const created = ordersCreated.create(
        { saleId, deadlineAt, orderNos },
        { id: `orders/created:${event.id ?? runId}` },
      );
      await step.sendEvent('set-timer', created);
      return { orders: orderNos.length };
    },
  );
