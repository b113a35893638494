import 'server-only';
import { PICTURE_FILES } from '@/lib/contract/words/media';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { mediaStore } from './media-store';

/** Kept pages, mails and a form that is still open may show a picture that no product has any more. */
export const KEEP_UNUSED_MS = 7 * 86_400_000;
const MOST = 1_000;

/**
 * Removes pictures, with their files, that no product and no variant of a sale has shown for a week.
 * @returns how many it removed; at most 1,000 in one call
 * @throws OutageError
 */
export async function pruneMedia(): Promise<number> {
  await db().$executeRaw`
    UPDATE media m SET unused_since = CASE WHEN used.is_used THEN NULL ELSE now() END
    FROM (SELECT hash, EXISTS (SELECT 1 FROM product_pictures p WHERE p.hash = media.hash)
                    OR EXISTS (SELECT 1 FROM sale_variants v WHERE v.picture = media.hash) AS is_used FROM media) used
    WHERE used.hash = m.hash AND (m.unused_since IS NULL) <> used.is_used`;
  const before = new Date(Date.now() - KEEP_UNUSED_MS);
  const old = await db().media.findMany({
    select: { hash: true },
    where: { unusedSince: { lt: before } },
    take: MOST,
  });
  let removed = 0;
  for (const { hash } of old) if (await remove(hash, before)) removed += 1;
  return removed;
}

/** The row goes first and the commit comes last: an upload of the same file waits, and then finds neither. */
const remove = (hash: string, before: Date): Promise<boolean> =>
  transaction(async (tx) => {
    const gone = await tx.$executeRaw`
      DELETE FROM media m WHERE hash = ${hash} AND unused_since < ${before}
        AND NOT EXISTS (SELECT 1 FROM product_pictures p WHERE p.hash = m.hash)
        AND NOT EXISTS (SELECT 1 FROM sale_variants v WHERE v.picture = m.hash)`;
    if (gone === 0) return false;
    await mediaStore().remove(PICTURE_FILES.map((file) => `${hash}/${file}`));
    return true;
  });
