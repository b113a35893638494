import 'server-only';
import type { Db } from '@/lib/db/client';

/** Tells whether a shop has an owner besides this person who can sign in. The caller has locked the shop. */
export async function hasOtherOwner(tx: Db, shopId: string, userId: string): Promise<boolean> {
  const others = await tx.shopMember.count({
    where: { shopId, role: 'owner', userId: { not: userId }, user: { bannedAt: null } },
  });
  return others > 0;
}
