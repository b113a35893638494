import 'server-only';
import { nowMs } from '@/lib/clock';
import type { Money } from '@/lib/payment/records/types';
import { ProviderFault } from '../provider-fault';
import { toMollie } from './money';
import { molliePayments } from './open-page';
import { reachMollie } from './reach-mollie';
import { readPayment } from './read-payment';
import type { Payment, Refund } from './state-of';

/** An answer of Mollie this old, ms, does not count any more: it forgets a key after an hour. */
const FRESH_MS = 10 * 60_000;

/** A payment as Mollie says it is, before money is sent back. `readAt`: epoch ms. */
type Seen = { payment: Payment; refunds: readonly Refund[]; readAt: number };

/** Reads the payment that took a payment's money. @throws ProviderFault if there is none */
export async function readTaken(paymentId: string): Promise<Seen> {
  const readAt = nowMs();
  const [kept] = await molliePayments.find([paymentId]);
  if (!kept) throw new ProviderFault(`Mollie holds nothing of ${paymentId}`);
  const payment = await readPayment(kept.pageId);
  const refunds = payment._embedded?.refunds;
  if (!refunds) throw new ProviderFault(`Mollie does not say what it has sent back of ${paymentId}`);
  return { payment, refunds, readAt };
}

/**
 * Sends money back, as the refund that follows those seen. Mollie itself allows more than was paid, up to 25 EUR, so that
 * nothing goes twice is for us to see to. Of all who send at once, whatever they send, one does: they have one key, and
 * Mollie refuses other terms under it.
 * @throws ProviderFault
 */
export const sendRefund = (
  { payment, refunds, readAt }: Seen,
  money: Money,
  metadata: { paymentId: string; part?: string },
): Promise<unknown> =>
  reachMollie(async (mollie) => {
    if (nowMs() - readAt > FRESH_MS) throw new ProviderFault('what Mollie said is too old to send money by');
    return mollie.paymentRefunds.create({
      paymentId: payment.id,
      amount: toMollie(money),
      metadata,
      idempotencyKey: `refund ${payment.id} ${refunds.length}`,
    });
  });
