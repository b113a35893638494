import 'server-only';
import { picturesToStore } from '@/lib/contract/shapes/picture';
import type { EditProductInput, Product } from '@/lib/contract/shapes/product';
import type { Db } from '@/lib/db/client';
import { areStored, PICTURES_PART, replacePictures } from './pictures';
import { deliveryColumns, toProduct } from './to-product';

/** A sale whose page shows a product, as does the page of its campaign. */
type ShownIn = { saleId: string; slug: string; campaign: string | undefined };

/**
 * Changes a product if it still has the version the edit was based on.
 * @returns the product before the edit, and its sales: their pages show the product.
 */
export async function editProduct(
  tx: Db,
  productId: string,
  { version, imageUrl, pictures, delivery, ...changes }: EditProductInput,
): Promise<
  | { status: 'edited'; before: Product; product: Product; sales: ShownIn[] }
  | { status: 'version_conflict'; product: Product }
  | { status: 'not_found' | 'media_not_found' }
> {
  await tx.$executeRaw`SELECT 1 FROM products WHERE id = ${productId} FOR NO KEY UPDATE`;
  const row = await tx.product.findUnique({ where: { id: productId }, include: PICTURES_PART });
  if (!row) return { status: 'not_found' };
  const before = toProduct(row);
  if (row.version !== version) return { status: 'version_conflict', product: before };
  const shown = picturesToStore({ imageUrl, pictures }, row.imageUrl);
  if (!(await areStored(tx, shown.pictures))) return { status: 'media_not_found' };
  await replacePictures(tx, productId, shown.pictures);
  const edited = await tx.product.update({
    where: { id: productId },
    data: { ...changes, ...deliveryColumns(delivery), imageUrl: shown.imageUrl, version: { increment: 1 } },
    include: {
      ...PICTURES_PART,
      sales: { select: { id: true, slug: true, campaign: { select: { slug: true } } } },
    },
  });
  const sales = edited.sales.map(({ id, slug, campaign }) => ({
    saleId: id,
    slug,
    campaign: campaign?.slug,
  }));
  return { status: 'edited', before, product: toProduct(edited), sales };
}
