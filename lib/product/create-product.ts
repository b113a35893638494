import 'server-only';
import type { CreateProductInput, Product } from '@/lib/contract/shapes/product';
import type { Db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { toProduct } from './to-product';

/** Creates a product that belongs to `merchantId`. A slug can be used once. */
export async function createProduct(
  tx: Db,
  merchantId: string,
  input: CreateProductInput,
): Promise<{ status: 'created'; product: Product } | { status: 'slug_taken' }> {
  const [row] = await tx.product.createManyAndReturn({
    data: { id: newId('product'), merchantId, ...input, attributes: input.attributes ?? {} },
    skipDuplicates: true,
  });
  return row ? { status: 'created', product: toProduct(row) } : { status: 'slug_taken' };
}
