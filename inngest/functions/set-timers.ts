import 'server-only';
import type { Inngest } from 'inngest';
import { SET_TIMERS } from '@/lib/order/consumers';
import { groupBy } from '@/lib/outbox/group-by';
import { ordersDue, ordersPlaced } from '../events';
import { CLOCK_MARGIN_MS } from './clock-margin';
import { deadLetterOf } from './dead-letter-of';

/**
 * Sets the payment timer for orders that were written together with their purchase; `create-orders` sets it for those
 * of a batch.
 */
export const setTimersFunction = (inngest: Inngest) =>
  inngest.createFunction(
    { id: 'set-timers', triggers: [ordersPlaced], retries: 4, onFailure: deadLetterOf(SET_TIMERS) },
    async ({ event, step, runId }) => {
      const due = [...groupBy(event.data.messages, ({ saleId }) => saleId)].map(([saleId, placed]) => {
        const deadlineAt = Math.max(...placed.map((order) => Number(order.deadlineAt)));
        const orderNos = [...new Set(placed.map(({ orderNo }) => orderNo))];
        const timer = { id: `orders/due:${event.id ?? runId}:${saleId}`, ts: deadlineAt + CLOCK_MARGIN_MS };
        return ordersDue.create({ saleId, orderNos }, timer);
      });
      await step.sendEvent('set-timers', due);
      return { sales: due.length };
    },
  );
