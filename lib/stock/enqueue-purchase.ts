import 'server-only';
import { isStockId } from './check-ids';
import { parsePurchaseReply } from './parse-purchase-reply';
import { argumentsOf, countedBy } from './purchase-arguments';
import type { Purchase, PurchaseResult } from './purchase-stock';
import { purchaseTogether } from './purchase-together';

/** By what the risk rules know a shopper beside the account; empty: unknown. */
export type PurchaseOrigin = { ip: string; device: string };

/**
 * Puts a purchase into its sale's queue, or refuses at once what is sure to be refused now. A token that waits already gets
 * its first order number again. Nothing is deducted before `decideQueue`.
 * @throws as `purchaseStock`
 */
export async function enqueuePurchase(
  purchase: Purchase,
  { ip, device }: PurchaseOrigin,
): Promise<PurchaseResult> {
  const { saleId, epoch, orderNo, quantity } = purchase;
  if (!isStockId(saleId)) return { status: 'unknown_sale' };
  const args = argumentsOf(purchase);
  const origin = [ip, device].map((text) => encodeURIComponent(text) || '-').join(' ');
  const words = await purchaseTogether('enqueue-3-n', saleId, epoch, args, countedBy(purchase), origin);
  const result = parsePurchaseReply('enqueue-3-n', words, orderNo);
  return result.status === 'undecided' && !result.isRepeated ? { ...result, quantity } : result;
}
