import type { Money, ProviderState } from './provider';
import type { PaymentStatus } from './types';

/** A payment as our books have it. */
export type OwnBooks = Money & {
  status: PaymentStatus;
  /** What the provider took, where that is other money than was asked for. */
  taken: Money | null;
  /** Whether the provider is going to be asked about it. */
  isAsked: boolean;
};

/**
 * How our books differ from the provider's, where nobody is about to put it right.
 *
 * | difference      | the provider …                                                |
 * |-----------------|---------------------------------------------------------------|
 * | unbooked        | holds money that pays nothing, and nobody is going to ask     |
 * | other_amount    | holds, or has sent back, other money than we have booked      |
 * | not_held        | knows nothing of money we have booked                         |
 * | sent_back_there | has sent back money that pays an order here                   |
 * | not_sent_back   | still holds, or holds again, what we have booked as sent back |
 */
export type BooksDifference = 'unbooked' | 'other_amount' | 'not_held' | 'sent_back_there' | 'not_sent_back';

export const isSameMoney = (a: Money, b: Money): boolean =>
  a.amountMinor === b.amountMinor && a.currency === b.currency;

/**
 * Compares one payment with the provider's own books. What is under way is no difference: a question that will be asked, money
 * that is due back. Pure.
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
      return isSameMoney(own, theirs) ? null : 'other_amount';
    case 'refund_due':
      return holds || hasSentBack ? null : 'not_held';
    case 'refunded':
      if (holds) return 'not_sent_back';
      if (!hasSentBack) return 'not_held';
      return isSameMoney(own.taken ?? own, theirs) ? null : 'other_amount';
  }
}
