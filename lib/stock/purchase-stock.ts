import 'server-only';
import { keys } from '@/lib/redis/keys';
import type { RateLimited } from '@/lib/redis/limit-policy';
import { parseRateLimited } from '@/lib/redis/parse-rate-limited';
import { checkId, checkInteger, isId, isOrderNo, isStockId } from './check-ids';
import { purchaseTogether } from './purchase-together';
import { replyNumber, replyText, unknownReply } from './run-stock-script';
import { MAX_QUANTITY } from './types';

const SCRIPT = 'purchase-3-n';

export type Purchase = {
  saleId: string;
  /** Of a split sale: the slice to which the buyer belongs (`stockFor`). Left out: the sale has one. */
  stockId?: string;
  /** The epoch that the caller knows (from `readStock`). */
  epoch: number;
  /** The gate as the shopper sent it. It may be any text; the script refuses a wrong one. */
  gate: string;
  userId: string;
  /** Id of the entry token. A repeated request with the same token gets the first answer again. */
  jti: string;
  /** The number that the order gets if the purchase is accepted. */
  orderNo: string;
  /** Units, 1 … 10,000. */
  quantity: number;
  /** The key that counts this address's attempts (`addressKey`), if the sale limits addresses. Only the script uses it. */
  address?: string;
  /**
   * Counts the purchase against the sale's limits; null = let through. The script does that itself. Other strategies
   * call this where the script would count.
   */
  limit?: () => Promise<RateLimited | null>;
};

export type PurchaseResult =
  | { status: 'accepted'; orderNo: string; acceptedAt: number }
  | { status: 'replayed'; orderNo: string; quantity: number }
  | { status: 'already_bought'; orderNo: string }
  | { status: 'sold_out'; available: number }
  | ({ status: 'rate_limited' } & RateLimited)
  /** Not decided: too many requests at once, or another holder had the lock. The script never answers this. */
  | { status: 'busy' }
  | {
      status:
        | 'unknown_sale'
        | 'stale_epoch'
        | 'not_started'
        | 'ended'
        | 'paused'
        | 'gate_invalid'
        | 'not_reserved'
        | 'over_limit'
        /** A campaign's limit over all its sales leaves the shopper fewer units in this one. */
        | 'campaign_limit';
    };

/**
 * Checks and deducts in one Lua script, which also records the order message (the outbox entry) in the same step.
 * Purchases of one sale that come at the same moment share a call. The Redis clock decides whether the sale is open.
 *
 * @throws TypeError or RangeError on ids and quantities that the caller should have refused, StockCorruptError, and
 *   connection errors. After a connection error the outcome is unknown: repeating the call with the same `jti`
 *   reveals it.
 */
export async function purchaseStock(purchase: Purchase): Promise<PurchaseResult> {
  const { saleId, stockId = saleId, epoch, gate, userId, jti, orderNo, quantity, address } = purchase;
  if (!isStockId(stockId)) return { status: 'unknown_sale' };
  checkId('userId', userId);
  checkId('jti', jti);
  if (!isOrderNo(orderNo)) throw new TypeError(`not an order number: ${orderNo.slice(0, 80)}`);
  checkInteger('quantity', quantity, 1, MAX_QUANTITY);

  // The gate comes from the address bar. Text that can't be a gate becomes the empty gate, which no sale has.
  const args = [isId(gate) ? gate : '', userId, jti, orderNo, quantity] as const;
  const addressCount = address === undefined ? null : keys.limit(stockId, 'purchase', 'ip', address);
  const reply = await purchaseTogether(stockId, epoch, args, addressCount);
  switch (reply[0]) {
    case 'accepted':
      return { status: 'accepted', orderNo, acceptedAt: replyNumber(SCRIPT, reply, 1) };
    case 'replayed':
      return {
        status: 'replayed',
        orderNo: replyText(SCRIPT, reply, 1),
        quantity: replyNumber(SCRIPT, reply, 2),
      };
    case 'already_bought':
      return { status: 'already_bought', orderNo: replyText(SCRIPT, reply, 1) };
    case 'sold_out':
      return { status: 'sold_out', available: replyNumber(SCRIPT, reply, 1) };
    case 'rate_limited':
      return { status: 'rate_limited', ...parseRateLimited(SCRIPT, reply) };
    case 'unknown_sale':
    case 'stale_epoch':
    case 'not_started':
    case 'ended':
    case 'paused':
    case 'gate_invalid':
    case 'not_reserved':
    case 'over_limit':
    case 'campaign_limit':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
