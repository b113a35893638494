import 'server-only';
import type { Inngest } from 'inngest';
import { SET_TIMERS } from '@/lib/order/records/consumer-names';
import { ordersPlaced } from '../events';
import { deadLetterOf } from './dead-letter-of';
import { dueTimers, ringFor } from './due-timers';

/**
 * Sets the payment timer for orders that were written together with their purchase; `create-orders` sets it for those
 * of a batch.
 */
export const setTimersFunction = (inngest: Inngest) =>
  inngest.createFunction(
    { id: 'set-timers', triggers: [ordersPlaced], retries: 4, onFailure: deadLetterOf(SET_TIMERS) },
    async ({ event, step }) => {
      const timers = dueTimers(
        event.data.messages.map(({ saleId, deadlineAt }) => ringFor(saleId, Number(deadlineAt))),
      );
      await step.sendEvent('set-timers', timers);
      return { timers: timers.length };
    },
  );
