import { parseRateLimited } from '@/lib/redis/parse-rate-limited';
import { replyNumber, replyText, unknownReply } from '@/lib/redis/parse-reply';
import type { PurchaseResult } from './purchase-stock';

/**
 * Says what the purchase script, or one of the queue's, replied to one purchase.
 * @param orderNo the number that the purchase has if it is accepted or queued. @throws Error on a reply it does not know
 */
export function parsePurchaseReply(
  script: 'purchase-3-n' | 'enqueue-3-n' | 'decide-queue-5',
  reply: readonly string[],
  orderNo: string,
): PurchaseResult {
  const number = (at: number) => replyNumber(script, reply, at);
  switch (reply[0]) {
    case 'accepted':
      return { status: 'accepted', orderNo, acceptedAt: number(1) };
    case 'replayed':
      return {
        status: 'replayed',
        orderNo: replyText(script, reply, 1),
        quantity: number(2),
        ...(reply.length > 3 && { variant: number(3) }),
      };
    case 'queued':
      return { status: 'undecided', orderNo, quantity: 0, isRepeated: false };
    case 'undecided':
      return {
        status: 'undecided',
        orderNo: replyText(script, reply, 1),
        quantity: number(2),
        isRepeated: true,
      };
    case 'already_bought':
      return { status: 'already_bought', orderNo: replyText(script, reply, 1) };
    case 'sold_out':
      return { status: 'sold_out', available: number(1), ...(reply.length > 2 && { ofAll: number(2) }) };
    case 'rate_limited':
      return { status: 'rate_limited', ...parseRateLimited(script, reply) };
    case 'unknown_sale':
    case 'stale_epoch':
    case 'not_started':
    case 'ended':
    case 'paused':
    case 'gate_invalid':
    case 'not_reserved':
    case 'over_limit':
    case 'campaign_limit':
    case 'backlogged':
      return { status: reply[0] };
    default:
      throw unknownReply(script, reply);
  }
}
