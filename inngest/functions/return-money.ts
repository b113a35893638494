import 'server-only';
import type { Inngest } from 'inngest';
import { RETURN_MONEY } from '@/lib/order/records/consumer-names';
import { returnMoney } from '@/lib/payment/return-money';
import { paymentsLate } from '../events';
import { deadLetterOf } from './dead-letter-of';
import { waitForServers } from './wait-for-servers';

/** Sends back money that is due: late, of another amount, or refunded by staff. */
export const returnMoneyFunction = (inngest: Inngest) =>
  inngest.createFunction(
    { id: 'refund-late', triggers: [paymentsLate], retries: 10, onFailure: deadLetterOf(RETURN_MONEY) },
    ({ event, step }) => step.run('refund', () => waitForServers(() => returnMoney(event.data.messages))),
  );
