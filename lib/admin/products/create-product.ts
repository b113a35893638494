import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import type { CreateProductInput } from '@/lib/contract/shapes/product';
import { transaction } from '@/lib/db/transaction';
import { createProduct as insertProduct } from '@/lib/product/create-product';
import { type Actor, demand } from '../actor';

/** Creates a product that belongs to the actor. */
export function createProduct(actor: Actor, input: CreateProductInput) {
  demand(actor, 'manageSales');
  return transaction(async (tx) => {
    const result = await insertProduct(tx, actor.userId, input);
    if (result.status === 'created') {
      const { productId, ...after } = result.product;
      const subject = { kind: 'product', id: productId };
      await recordAction(tx, actor, { action: 'product.create', subject, before: null, after });
    }
    return result;
  });
}
