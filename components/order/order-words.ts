import type { OrderView } from '@/lib/contract/shapes/order';

/** Keys of the `Order` messages that describe the order's state. */
interface OrderWords {
  title:
    | 'undecidedTitle'
    | 'queuedTitle'
    | 'pendingTitle'
    | 'lapsingTitle'
    | 'paidTitle'
    | 'refundedTitle'
    | 'cancelledTitle'
    | 'expiredTitle'
    | 'failedTitle';
  text:
    | 'undecidedText'
    | 'queuedText'
    | 'pendingText'
    | 'lapsingText'
    | 'paidText'
    | 'refundedText'
    | 'refundedPart'
    | 'cancelledText'
    | 'cancelledByYou'
    | 'cancelledByShop'
    | 'cancelledByMismatch'
    | 'failedText'
    | 'saleFullText';
}

/**
 * Returns the messages that describe an order honestly. @param hasLapsed the time to pay is over, but the server
 * hasn't decided yet
 */
export function orderWords(
  {
    status,
    endReason,
    refundedMinor = 0,
  }: Pick<OrderView, 'status' | 'endReason'> & Partial<Pick<OrderView, 'refundedMinor'>>,
  hasLapsed: boolean,
): OrderWords {
  switch (status) {
    case 'undecided':
      return { title: 'undecidedTitle', text: 'undecidedText' };
    case 'queued':
      return { title: 'queuedTitle', text: 'queuedText' };
    case 'pending_payment':
      return hasLapsed
        ? { title: 'lapsingTitle', text: 'lapsingText' }
        : { title: 'pendingTitle', text: 'pendingText' };
    case 'paid':
      return { title: 'paidTitle', text: refundedMinor > 0 ? 'refundedPart' : 'paidText' };
    case 'refunded':
      return { title: 'refundedTitle', text: 'refundedText' };
    case 'cancelled':
      if (endReason === 'cancelled_by_shopper') return { title: 'cancelledTitle', text: 'cancelledByYou' };
      if (endReason === 'cancelled_by_merchant') return { title: 'cancelledTitle', text: 'cancelledByShop' };
      if (endReason === 'payment_mismatch') return { title: 'cancelledTitle', text: 'cancelledByMismatch' };
      return { title: endReason === 'expired' ? 'expiredTitle' : 'cancelledTitle', text: 'cancelledText' };
    case 'failed':
      return { title: 'failedTitle', text: endReason === 'sale_full' ? 'saleFullText' : 'failedText' };
  }
}
