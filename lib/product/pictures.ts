import 'server-only';
import type { Picture } from '@/lib/contract/shapes/picture';
import type { Db } from '@/lib/db/client';
import type { Prisma } from '@/prisma/generated/client';

/** The pictures that are read with a product's row. */
export const PICTURES_PART = {
  pictures: { orderBy: { position: 'asc' } },
} as const satisfies Prisma.ProductInclude;

/**
 * Tells whether all these pictures are stored. They stay until the transaction ends: a worker that wants to remove one
 * waits for it.
 * @param pictures `MAX_PICTURES` at most
 */
export async function areStored(tx: Db, pictures: readonly Picture[] = []): Promise<boolean> {
  const hashes = pictures.map(({ hash }) => hash);
  if (hashes.length === 0) return true;
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM media WHERE hash = ANY(${hashes}) FOR KEY SHARE`;
  return rows.length === hashes.length;
}

/** Tells whether all these hashes, some of which may be null, are pictures of a product. */
export async function arePicturesOf(
  tx: Db,
  productId: string,
  hashes: readonly (string | null)[],
): Promise<boolean> {
  const wanted = new Set(hashes.filter((hash) => hash !== null));
  if (wanted.size === 0) return true;
  return (await tx.productPicture.count({ where: { productId, hash: { in: [...wanted] } } })) === wanted.size;
}

/** Replaces a product's pictures. The caller has asked `areStored`. @param pictures undefined: they stay as they are */
export async function replacePictures(
  tx: Db,
  productId: string,
  pictures?: readonly Picture[],
): Promise<void> {
  if (!pictures) return;
  await tx.productPicture.deleteMany({ where: { productId } });
  await tx.productPicture.createMany({
    data: pictures.map(({ hash, alt }, position) => ({ productId, position, hash, alt })),
  });
}
