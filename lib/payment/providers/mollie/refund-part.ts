import 'server-only';
import { plainMoney } from '@/lib/money';
import type { PartRefund, PartRefundResult } from '../provider';
import { ProviderFault } from '../provider-fault';
import { readTaken, sendRefund } from './send-refund';
import { isSent, stateOf } from './state-of';

/** The answer that says no to what was asked. All others leave open what Mollie does, or has done, with the key. */
const REFUSED = 422;

/**
 * Sends back a part of what Mollie holds of a payment. The refund carries its key, because Mollie forgets that after an
 * hour.
 * @throws ProviderFault if Mollie gave no clear answer, or holds nothing
 */
export async function refundPart({ paymentId, key, ...money }: PartRefund): Promise<PartRefundResult> {
  const seen = await readTaken(paymentId);
  const before = seen.refunds.find(({ metadata }) => (metadata as { part?: unknown } | null)?.part === key);
  if (before)
    return isSent(before)
      ? { status: 'sent' }
      : { status: 'refused', detail: `the refund ${before.id} has ${before.status}` };
  const state = stateOf(seen.payment);
  if (state.status !== 'succeeded' || state.amountMinor < money.amountMinor)
    return { status: 'refused', detail: `Mollie does not hold ${plainMoney(money)} of ${paymentId}` };
  try {
    await sendRefund(seen, money, { paymentId, part: key });
    return { status: 'sent' };
  } catch (error) {
    if (!(error instanceof ProviderFault && error.status === REFUSED)) throw error;
    return { status: 'refused', detail: error.message };
  }
}
