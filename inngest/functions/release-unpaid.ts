import 'server-only';
import type { Inngest } from 'inngest';
import { RELEASE_UNPAID } from '@/lib/order/records/consumer-names';
import { releaseDue } from '@/lib/payment/release-unpaid';
import { ordersDue } from '../events';
import { deadLetterOf } from './dead-letter-of';
import { waitForServers } from './wait-for-servers';

/**
 * Cancels what is due and unpaid in the sales of a timer, and releases its units. It has no steps, because a new
 * attempt simply goes on. If there is too much for one run, another one follows.
 */
export const releaseUnpaidFunction = (inngest: Inngest) =>
  inngest.createFunction(
    { id: 'release-unpaid', triggers: [ordersDue], retries: 4, onFailure: deadLetterOf(RELEASE_UNPAID) },
    async ({ event: { data } }) => {
      const saleIds = 'saleIds' in data ? data.saleIds : [data.saleId];
      const { cancelled, hasMore } = await waitForServers(() => releaseDue(saleIds));
      if (hasMore) await inngest.send(ordersDue.create({ saleIds }));
      return { cancelled };
    },
  );
