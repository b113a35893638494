import 'server-only';
import type { Inngest } from 'inngest';
import { releaseDue } from '@/lib/checkout/order/release-unpaid';
import { RELEASE_UNPAID } from '@/lib/order/consumers';
import { ordersDue } from '../events';
import { deadLetterOf } from './dead-letter-of';

/**
 * Cancels what is due and unpaid in a sale, and releases its units. It has no steps, because a new attempt simply goes
 * on. If there is too much for one run, another one follows.
 */
export const releaseUnpaidFunction = (inngest: Inngest) =>
  inngest.createFunction(
    { id: 'release-unpaid', triggers: [ordersDue], retries: 4, onFailure: deadLetterOf(RELEASE_UNPAID) },
    async ({ event }) => {
      const { saleId } = event.data;
      const { cancelled, hasMore } = await releaseDue(saleId);
      if (hasMore) await inngest.send(ordersDue.create({ saleId }));
      return { cancelled };
    },
  );
