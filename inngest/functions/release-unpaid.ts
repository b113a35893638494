import 'server-only';
import type { Inngest } from 'inngest';
import { releaseUnpaid } from '@/lib/checkout/release-unpaid';
import { RELEASE_UNPAID } from '@/lib/order/consumers';
import { ordersCreated } from '../events';
import { deadLetterOf } from './dead-letter-of';

/** The database's clock decides what is due; waking this much later saves a second sleep when it is a little behind. */
const CLOCK_MARGIN_MS = 200;
/** Deadlines of one batch differ only if it was written one by one. What is left after these rounds the sweep finds. */
const MAX_ROUNDS = 3;

/** Orders that stay unpaid are cancelled at their deadline and their units go back. */
export const releaseUnpaidFunction = (inngest: Inngest) =>
  inngest.createFunction(
    { id: 'release-unpaid', triggers: [ordersCreated], retries: 4, onFailure: deadLetterOf(RELEASE_UNPAID) },
    async ({ event, step }) => {
      const { saleId, orderNos } = event.data;
      let deadlineAt: number | null = event.data.deadlineAt;
      let cancelled = 0;
      for (let round = 1; deadlineAt !== null && round <= MAX_ROUNDS; round += 1) {
        await step.sleepUntil(`wait-for-deadline-${round}`, new Date(deadlineAt + CLOCK_MARGIN_MS));
        const released: { cancelled: string[]; nextDeadlineAt: number | null } = await step.run(
          `cancel-unpaid-${round}`,
          () => releaseUnpaid({ saleId, orderNos }),
        );
        cancelled += released.cancelled.length;
        deadlineAt = released.nextDeadlineAt;
      }
      return { cancelled };
    },
  );
