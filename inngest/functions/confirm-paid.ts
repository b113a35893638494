import 'server-only';
import type { Inngest } from 'inngest';
import { CONFIRM_PAID } from '@/lib/order/records/consumer-names';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { ordersPaid } from '../events';
import { deadLetterOf } from './dead-letter-of';
import { waitForServers } from './wait-for-servers';

/** Counts the units of paid orders as sold. It has no steps: counting is idempotent, and a step adds a second call. */
export const confirmPaidFunction = (inngest: Inngest) =>
  inngest.createFunction(
    { id: 'confirm-paid', triggers: [ordersPaid], retries: 4, onFailure: deadLetterOf(CONFIRM_PAID) },
    async ({ event }) => ({ counted: await waitForServers(() => confirmPaid(event.data.messages)) }),
  );
