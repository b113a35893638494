import type { Money, PaymentStatus, ProviderState } from './types';

/** A payment in our own books. */
export type OwnBooks = Money & {
  status: PaymentStatus;
  /** The money that the provider took, if it differs from the amount asked for. */
  taken: Money | null;
  /** The sum of the parts that were decided to be refunded, and of those still to be sent; minor units. */
  partsMinor: number;
  dueMinor: number;
  /** True if a query to the provider about it is scheduled. */
  isAsked: boolean;
};

/** Returns the money that is booked: what a paid order keeps, or what was taken or asked for. */
export function bookedMoney(own: OwnBooks): Money {
  const { status, taken, amountMinor, currency, partsMinor } = own;
  if (status === 'succeeded') return { amountMinor: amountMinor - partsMinor, currency };
  return taken ?? { amountMinor, currency };
}

/** The ways in which the provider's books differ from ours, where no process is about to put it right. */
export type BooksDifference =
  /** The provider holds money that pays nothing, and no query is scheduled. */
  | 'unbooked'
  /** It holds, or has refunded, other money than we have booked. */
  | 'other_amount'
  /** It knows nothing of money we have booked. */
  | 'not_held'
  /** It has refunded all money that pays an order here. A part that it has refunded by itself is another amount. */
  | 'sent_back_there'
  /** The payer of a paid order wants the money back from the bank. A person has to answer the provider. */
  | 'disputed'
  /** It still holds, or holds again, money that we have booked as refunded. */
  | 'not_sent_back';

export const isSameMoney = (a: Money, b: Money): boolean =>
  a.amountMinor === b.amountMinor && a.currency === b.currency;

/**
 * Compares one payment with the provider's own books. Work under way is no difference: a scheduled query, money that is
 * due back, or a part that is still to be sent. Pure.
 */
export function compareBooks(own: OwnBooks, theirs: ProviderState): BooksDifference | null {
  const holds = theirs.status === 'succeeded';
  const hasSentBack = theirs.status === 'refunded';
  switch (own.status) {
    case 'pending':
    case 'failed':
      return holds && !own.isAsked ? 'unbooked' : null;
    case 'succeeded':
      if (hasSentBack) return 'sent_back_there';
      if (!holds) return 'not_held';
      if (!isHeld(own, theirs)) return 'other_amount';
      return theirs.isDisputed ? 'disputed' : null;
    case 'refund_due':
      return holds || hasSentBack ? null : 'not_held';
    case 'refunded':
      if (holds) return 'not_sent_back';
      if (!hasSentBack) return 'not_held';
      return isSameMoney(bookedMoney(own), theirs) ? null : 'other_amount';
  }
}

/** Tells whether a provider holds what a paid order keeps, or that and parts which are still to be sent. */
function isHeld(own: OwnBooks, { amountMinor, currency }: Money): boolean {
  const more = amountMinor - bookedMoney(own).amountMinor;
  return currency === own.currency && more >= 0 && more <= own.dueMinor;
}
