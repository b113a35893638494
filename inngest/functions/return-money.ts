import 'server-only';
import type { Inngest } from 'inngest';
import { z } from 'zod';
import { RETURN_MONEY } from '@/lib/order/records/consumer-names';
import { findStillDue } from '@/lib/payment/records/find-refunds-due';
import { returnMoney } from '@/lib/payment/return-money';
import { paymentsLate } from '../events';
import { deadLetterOf } from './dead-letter-of';
import { waitForServers } from './wait-for-servers';

const batch = z.object({ messages: z.array(z.object({ paymentId: z.string() })) });

/** Records a dead letter for each payment of a run whose money is still due: under its sale, so that its shop sees it. */
export const reportMoneyDue = deadLetterOf(RETURN_MONEY, async (runId, payload) => {
  const { messages } = batch.parse(payload);
  const due = await findStillDue(messages.map(({ paymentId }) => paymentId));
  return due.map(({ paymentId, orderNo, saleId }) => ({
    messageId: `${runId} ${paymentId}`,
    saleId,
    orderNo: BigInt(orderNo),
    payload: { messages: [{ paymentId, orderNo, saleId }] },
  }));
});

/** Sends back money that is due: late, of another amount, or refunded by staff. */
export const returnMoneyFunction = (inngest: Inngest) =>
  inngest.createFunction(
    { id: 'refund-late', triggers: [paymentsLate], retries: 10, onFailure: reportMoneyDue },
    ({ event, step }) => step.run('refund', () => waitForServers(() => returnMoney(event.data.messages))),
  );
