import 'server-only';
import { type Actor, shopForNew } from '@/lib/actor/actor';
import { createOnce } from '@/lib/actor/create-once';
import { recordAction } from '@/lib/audit/record-action';
import { picturesToStore } from '@/lib/contract/shapes/picture';
import type { CreateProductInput, Product } from '@/lib/contract/shapes/product';
import { transaction } from '@/lib/db/transaction';
import { createProduct as insertProduct } from '@/lib/product/create-product';
import { areStored, PICTURES_PART } from '@/lib/product/pictures';
import { toProduct } from '@/lib/product/to-product';

/** Creates a product of one of the actor's shops, once for each request. @throws NotAllowedError as `shopForNew` */
export function createProduct(
  actor: Actor,
  input: CreateProductInput,
): Promise<
  | { status: 'created'; product: Product }
  | { status: 'made_otherwise' | 'slug_taken' | 'no_shop' | 'media_not_found' }
> {
  return transaction(async (tx) => {
    const shopId = await shopForNew(actor, input.shopId, tx);
    if (shopId === null) return { status: 'no_shop' };
    const { pictures } = picturesToStore(input, null);
    if (!(await areStored(tx, pictures))) return { status: 'media_not_found' };
    const made = await createOnce(tx, actor, 'product', input, {
      insert: (id) => insertProduct(tx, shopId, id, input),
      find: async (id) => {
        const row = await tx.product.findUnique({ where: { id }, include: PICTURES_PART });
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
