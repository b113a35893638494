import 'server-only';
import { picturesToStore } from '@/lib/contract/shapes/picture';
import type { CreateProductInput, Product } from '@/lib/contract/shapes/product';
import type { Db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { hasMedia } from './has-media';
import { toProduct } from './to-product';

/** Creates a product that belongs to `merchantId`. A slug can be used once; pictures are the merchant's own. */
export async function createProduct(
  tx: Db,
  merchantId: string,
  { imageUrl, pictures = [], ...input }: CreateProductInput,
): Promise<{ status: 'created'; product: Product } | { status: 'slug_taken' | 'media_not_found' }> {
  if (!(await hasMedia(tx, merchantId, pictures))) return { status: 'media_not_found' };
  const [row] = await tx.product.createManyAndReturn({
    data: {
      id: newId('product'),
      merchantId,
      ...input,
      ...picturesToStore({ imageUrl, pictures }, null),
      attributes: input.attributes ?? {},
    },
    skipDuplicates: true,
  });
  return row ? { status: 'created', product: toProduct(row) } : { status: 'slug_taken' };
}
