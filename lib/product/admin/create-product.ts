import 'server-only';
import { type Actor, demand } from '@/lib/actor/actor';
import { createOnce } from '@/lib/actor/create-once';
import { recordAction } from '@/lib/audit/record-action';
import type { CreateProductInput, Product } from '@/lib/contract/shapes/product';
import { transaction } from '@/lib/db/transaction';
import { createProduct as insertProduct } from '@/lib/product/create-product';
import { toProduct } from '@/lib/product/to-product';

/** Creates a product that belongs to the actor, once for each request. */
export function createProduct(
  actor: Actor,
  input: CreateProductInput,
): Promise<
  { status: 'created'; product: Product } | { status: 'made_otherwise' } | { status: 'slug_taken' }
> {
  demand(actor, 'manageSales');
  return transaction(async (tx) => {
    const made = await createOnce(tx, actor, 'product', input, {
      insert: (id) => insertProduct(tx, actor.userId, id, input),
      find: async (id) => {
        const row = await tx.product.findUnique({ where: { id } });
        return row && toProduct(row);
      },
    });
    if (made.status === 'not_made') return { status: 'slug_taken' };
    if (made.status === 'made_otherwise') return made;
    const product = made.thing;
    if (made.status === 'created') {
      const { productId, ...after } = product;
      const subject = { kind: 'product', id: productId };
      await recordAction(tx, actor, { action: 'product.create', subject, before: null, after });
    }
    return { status: 'created', product };
  });
}
