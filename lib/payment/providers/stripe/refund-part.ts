import 'server-only';
import type { PartRefund, PartRefundResult } from '../provider';
import { ProviderFault } from '../provider-fault';
import { toStripe } from './money';
import { reachStripe } from './reach-stripe';
import { findTaken } from './refund-all';

/** Answers that Stripe does not repeat to the same key: it was asked too often, or twice at once. */
const NOT_KEPT: ReadonlySet<number> = new Set([409, 429]);

/**
 * Sends back a part of what Stripe holds of a payment. Stripe repeats its first answer to a key, refusals and its own
 * faults too, so a key that was refused once never sends anything.
 * @throws ProviderFault if Stripe gave no answer, or holds nothing
 */
export async function refundPart(part: PartRefund): Promise<PartRefundResult> {
  const { paymentId, key } = part;
  const from = await findTaken(paymentId);
  if (!from) throw new ProviderFault(`Stripe holds nothing of ${paymentId}`);
  const { amount } = toStripe(part);
  try {
    await reachStripe((stripe) =>
      stripe.refunds.create({ ...from, amount, metadata: { paymentId, part: key } }, { idempotencyKey: key }),
    );
    return { status: 'sent' };
  } catch (error) {
    if (!(error instanceof ProviderFault) || error.status === undefined || NOT_KEPT.has(error.status))
      throw error;
    return { status: 'refused', detail: error.message };
  }
}
