import 'server-only';
import { picturesToStore } from '@/lib/contract/shapes/picture';
import type { EditProductInput, Product } from '@/lib/contract/shapes/product';
import type { Db } from '@/lib/db/client';
import { hasMedia } from './has-media';
import { toProduct } from './to-product';

/**
 * Changes a product if it still has the version the edit was based on.
 * @returns the product before the edit, and its sales: their pages show the product.
 */
export async function editProduct(
  tx: Db,
  productId: string,
  { version, imageUrl, pictures, ...changes }: EditProductInput,
): Promise<
  | { status: 'edited'; before: Product; product: Product; sales: { saleId: string; slug: string }[] }
  | { status: 'version_conflict'; product: Product }
  | { status: 'not_found' | 'media_not_found' }
> {
  await tx.$executeRaw`SELECT 1 FROM products WHERE id = ${productId} FOR NO KEY UPDATE`;
  const row = await tx.product.findUnique({ where: { id: productId } });
  if (!row) return { status: 'not_found' };
  const before = toProduct(row);
  if (row.version !== version) return { status: 'version_conflict', product: before };
  // What it shows already may stay, whoever has uploaded it.
  const shown = new Set(before.pictures.map(({ hash }) => hash));
  const added = (pictures ?? []).filter(({ hash }) => !shown.has(hash));
  if (!(await hasMedia(tx, row.merchantId, added))) return { status: 'media_not_found' };
  const edited = await tx.product.update({
    where: { id: productId },
    data: { ...changes, ...picturesToStore({ imageUrl, pictures }, row.imageUrl), version: { increment: 1 } },
    include: { sales: { select: { id: true, slug: true } } },
  });
  const sales = edited.sales.map(({ id, slug }) => ({ saleId: id, slug }));
  return { status: 'edited', before, product: toProduct(edited), sales };
}
