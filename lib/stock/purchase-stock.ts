import 'server-only';
import type { RateLimited } from '@/lib/redis/limit-policy';
import type { Bought } from './bought';
import { isStockId } from './check-ids';
import { parsePurchaseReply } from './parse-purchase-reply';
import { argumentsOf, countedBy } from './purchase-arguments';
import { purchaseTogether } from './purchase-together';

export type Purchase = Bought & {
  saleId: string;
  /** The slice to which the buyer belongs (`stockFor`); left out unless the sale is split. */
  stockId?: string;
  /** The epoch that the caller knows (from `readStock`). */
  epoch: number;
  /** The gate as the shopper sent it. It may be any text; the script refuses a wrong one. */
  gate: string;
  userId: string;
  /** By what this address's attempts are counted (`addressKey`), if the sale limits addresses. Only the scripts use it. */
  address?: string;
  /** The id of the device, if the sale limits devices. Only the scripts use it. */
  device?: string;
  /**
   * Counts the purchase against the sale's limits; null = let through. The script does that itself. Other strategies
   * call this where the script would count.
   */
  limit?: () => Promise<RateLimited | null>;
};

export type PurchaseResult =
  | { status: 'accepted'; orderNo: string; acceptedAt: number }
  | { status: 'replayed'; orderNo: string; quantity: number; variant?: number }
  | { status: 'already_bought'; orderNo: string }
  /** `available` of the variant where the sale has some; then `ofAll` are left in the whole sale. */
  | { status: 'sold_out'; available: number; ofAll?: number }
  | ({ status: 'rate_limited' } & RateLimited)
  /** Put into the queue of a sale that sells by it, now or before (`isRepeated`). No promise: it may still be refused. */
  | { status: 'undecided'; orderNo: string; quantity: number; isRepeated: boolean }
  /** Not decided: too many purchases wait in such a queue, or for their orders to be written. */
  | { status: 'backlogged' }
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
        | 'campaign_limit'
        /** The shopper's account is gone. Only Postgres knows; the script never answers this. */
        | 'no_account';
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
  const { saleId, stockId = saleId, epoch, orderNo } = purchase;
  if (!isStockId(stockId)) return { status: 'unknown_sale' };
  const args = argumentsOf(purchase);
  return parsePurchaseReply(
    'purchase-3-n',
    await purchaseTogether('purchase-3-n', stockId, epoch, args, countedBy(purchase)),
    orderNo,
  );
}
