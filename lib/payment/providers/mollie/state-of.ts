import type { Payment } from '@mollie/api-client';
import { z } from 'zod';
import type { ProviderState } from '@/lib/payment/records/types';
import { type Held, heldMoney } from '../held-money';
import { fromMollie } from './money';

export type { Payment };

export type Refund = NonNullable<NonNullable<Payment['_embedded']>['refunds']>[number];

/** Statuses in which a payment takes no money any more: Mollie calls them definitive. */
const OVER: ReadonlySet<string> = new Set(['failed', 'canceled', 'expired']);
/** A refund that is queued waits for money on the balance. */
const SENT: ReadonlySet<string> = new Set(['queued', 'pending', 'processing', 'refunded']);

const metadata = z.object({
  paymentId: z.string().regex(/^pay_\w{1,100}$/),
  attempt: z.number().int().min(1).max(1_000_000),
});

/** Returns which payment of this shop one at Mollie takes the money of, and at which try; null if it is none of ours. */
export const metadataOf = (payment: Payment): z.output<typeof metadata> | null =>
  metadata.safeParse(payment.metadata).data ?? null;

/** Reads a payment. Money under way (a bank's transfer, an authorization) is unknown until it is there. */
export function stateOf(payment: Payment): ProviderState {
  if (payment.status === 'paid') return heldOf(payment);
  return isOver(payment) ? { status: 'failed', ...fromMollie(payment.amount) } : { status: 'unknown' };
}

export const isOver = ({ status }: Payment): boolean => OVER.has(status);

/** Returns what Mollie holds of a payment that is paid. A chargeback that was reversed is none any more. */
export const heldOf = (payment: Payment): Held =>
  heldMoney(fromMollie(payment.amount), returnedMinor(payment), payment.amountChargedBack !== undefined);

/** Sums up the refunds, if they came along: Mollie does not say whether its own sum has those that are under way. */
function returnedMinor({ amountRefunded, _embedded }: Payment): number {
  const refunds = _embedded?.refunds;
  if (!refunds) return amountRefunded ? fromMollie(amountRefunded).amountMinor : 0;
  return refunds.filter(isSent).reduce((sum, { amount }) => sum + fromMollie(amount).amountMinor, 0);
}

/** Tells whether Mollie has accepted a refund, and neither failed to send it nor was told to keep the money. */
export const isSent = ({ status }: Refund): boolean => SENT.has(status);
