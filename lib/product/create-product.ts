import 'server-only';
import { picturesToStore } from '@/lib/contract/shapes/picture';
import type { CreateProductInput, Product } from '@/lib/contract/shapes/product';
import type { Db } from '@/lib/db/client';
import { replacePictures } from './pictures';
import { deliveryColumns, toProduct } from './to-product';

/** Creates a product that belongs to `merchantId`. @returns null if its id or slug is in use */
export async function createProduct(
  tx: Db,
  merchantId: string,
  productId: string,
  { requestId: _, shopId: _shop, imageUrl, pictures, delivery, ...input }: CreateProductInput,
): Promise<Product | null> {
  const shown = picturesToStore({ imageUrl, pictures }, null);
  const [row] = await tx.product.createManyAndReturn({
    data: {
      id: productId,
      merchantId,
      ...input,
      imageUrl: shown.imageUrl,
      attributes: input.attributes ?? {},
      texts: input.texts ?? {},
      ...deliveryColumns(delivery),
    },
    skipDuplicates: true,
  });
  if (!row) return null;
  await replacePictures(tx, productId, shown.pictures);
  return toProduct({ ...row, pictures: shown.pictures ?? [] });
}
