import 'server-only';
import type { CreateProductInput, Product } from '@/lib/contract/shapes/product';
import type { Db } from '@/lib/db/client';
import { deliveryColumns, toProduct } from './to-product';

/** Creates a product that belongs to `merchantId`. @returns null if its id or slug is in use */
export async function createProduct(
  tx: Db,
  merchantId: string,
  productId: string,
  { requestId: _, shopId: _shop, delivery, ...input }: CreateProductInput,
): Promise<Product | null> {
  const [row] = await tx.product.createManyAndReturn({
    data: {
      id: productId,
      merchantId,
      ...input,
      attributes: input.attributes ?? {},
      ...deliveryColumns(delivery),
    },
    skipDuplicates: true,
  });
  return row ? toProduct(row) : null;
}
