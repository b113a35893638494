import 'server-only';
import type { Inngest } from 'inngest';
import { REFUND_LATE } from '@/lib/order/records/consumers';
import { refundLate } from '@/lib/payment/refund-late';
import { paymentsLate } from '../events';
import { deadLetterOf } from './dead-letter-of';
import { waitForServers } from './wait-for-servers';

/** Sends money back that came after its order had ended. */
export const refundLateFunction = (inngest: Inngest) =>
  inngest.createFunction(
    { id: 'refund-late', triggers: [paymentsLate], retries: 10, onFailure: deadLetterOf(REFUND_LATE) },
    ({ event, step }) => step.run('refund', () => waitForServers(() => refundLate(event.data.messages))),
  );
