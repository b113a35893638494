import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import type { CreateProductInput } from '@/lib/contract/shapes/product';
import { transaction } from '@/lib/db/transaction';
import { createProduct as insertProduct } from '@/lib/product/create-product';
import { type Actor, demand, shopForNew } from '../actor';

/**
 * Creates a product of the shop the actor has chosen.
 * @param shown the one that their page showed
 * @throws NotAllowedError if they may not do that there
 */
export function createProduct(actor: Actor, input: CreateProductInput, shown?: string) {
  demand(actor, 'manageSales');
  return transaction(async (tx) => {
    const shopId = await shopForNew(actor, shown, tx);
    if (shopId === null) return { status: 'shop_changed' as const };
    const result = await insertProduct(tx, shopId, input);
    if (result.status === 'created') {
      const { productId, ...after } = result.product;
      const subject = { kind: 'product', id: productId };
      await recordAction(tx, actor, { action: 'product.create', subject, before: null, after });
    }
    return result;
  });
}
