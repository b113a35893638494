import 'server-only';
import { plainMoney } from '@/lib/money';
import { isSameMoney } from '@/lib/payment/records/compare-books';
import type { Money } from '@/lib/payment/records/types';
import { ProviderFault } from '../provider-fault';
import { readTaken, sendRefund } from './send-refund';
import { stateOf } from './state-of';

/**
 * Sends a payment's money back. A repeated call changes nothing: it asks what Mollie holds.
 * @throws ProviderFault if Mollie does not hold exactly this money, or can't send it back now
 */
export async function refundAll({ paymentId, ...money }: Money & { paymentId: string }): Promise<void> {
  const seen = await readTaken(paymentId);
  const state = stateOf(seen.payment);
  if (state.status === 'refunded') return;
  if (state.status !== 'succeeded' || !isSameMoney(state, money))
    throw new ProviderFault(`Mollie does not hold ${plainMoney(money)} of ${paymentId}`);
  await sendRefund(seen, money, { paymentId });
}
