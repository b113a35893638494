import 'server-only';
import type { Db } from '@/lib/db/client';
import type { Actor } from '../actor';

/** Marks a letter as dealt with. @returns false if it was before. */
export async function resolveLetter(tx: Db, id: bigint, resolution: string, actor: Actor): Promise<boolean> {
  const { count } = await tx.deadLetter.updateMany({
    where: { id, resolvedAt: null },
    data: { resolvedAt: new Date(), resolution, resolvedBy: actor.userId },
  });
  return count === 1;
}
