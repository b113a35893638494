import 'server-only';
import type { Inngest } from 'inngest';
import { releaseUnpaid } from '@/lib/checkout/order/release-unpaid';
import { RELEASE_UNPAID } from '@/lib/order/consumers';
import { ordersDue } from '../events';
import { CLOCK_MARGIN_MS } from './clock-margin';
import { deadLetterOf } from './dead-letter-of';

/**
 * Bounds the rounds of one run. The deadlines of one batch differ only if its orders were written one by one. The
 * sweep finds the orders left after these rounds.
 */
const MAX_ROUNDS = 3;

/** Cancels orders that are unpaid at their deadline and releases their units. */
export const releaseUnpaidFunction = (inngest: Inngest) =>
  inngest.createFunction(
    { id: 'release-unpaid', triggers: [ordersDue], retries: 4, onFailure: deadLetterOf(RELEASE_UNPAID) },
    async ({ event, step }) => {
      const { saleId, orderNos } = event.data;
      let cancelled = 0;
      for (let round = 1; round <= MAX_ROUNDS; round += 1) {
        const released: { cancelled: string[]; nextDeadlineAt: number | null } = await step.run(
          `cancel-unpaid-${round}`,
          () => releaseUnpaid({ saleId, orderNos }),
        );
        cancelled += released.cancelled.length;
        if (released.nextDeadlineAt === null || round === MAX_ROUNDS) break;
        const wakeAt = new Date(released.nextDeadlineAt + CLOCK_MARGIN_MS);
        await step.sleepUntil(`wait-for-deadline-${round}`, wakeAt);
      }
      return { cancelled };
    },
  );
