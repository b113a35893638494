import 'server-only';
import { db } from '@/lib/db/client';
import type { EditProductInput } from './product-input';
import { type Product, toProduct } from './types';

/**
 * Changes a product if it is still at the version the edit was based on.
 * @returns its sales too: their pages show the product.
 */
export async function editProduct(
  productId: string,
  { version, ...changes }: EditProductInput,
): Promise<
  | { status: 'edited'; product: Product; sales: { saleId: string; slug: string }[] }
  | { status: 'version_conflict'; product: Product }
  | { status: 'not_found' }
> {
  const { count } = await db().product.updateMany({
    where: { id: productId, version },
    data: { ...changes, version: { increment: 1 } },
  });
  const row = await db().product.findUnique({
    where: { id: productId },
    include: { sales: { select: { id: true, slug: true } } },
  });
  if (!row) return { status: 'not_found' };
  const product = toProduct(row);
  return count === 1
    ? { status: 'edited', product, sales: row.sales.map(({ id, slug }) => ({ saleId: id, slug })) }
    : { status: 'version_conflict', product };
}
