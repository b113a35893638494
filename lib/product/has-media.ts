import 'server-only';
import type { Picture } from '@/lib/contract/shapes/picture';
import type { Db } from '@/lib/db/client';

/** Tells whether a shop has uploaded all of these. @param pictures `MAX_PICTURES` at most */
export async function hasMedia(
  tx: Db,
  merchantId: string,
  pictures: Pick<Picture, 'hash'>[],
): Promise<boolean> {
  if (pictures.length === 0) return true;
  const hash = { in: pictures.map((each) => each.hash) };
  return (await tx.media.count({ where: { merchantId, hash } })) === pictures.length;
}
