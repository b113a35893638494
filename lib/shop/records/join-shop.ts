import 'server-only';
import type { Standing } from '@/lib/contract/words/shop';
import type { Db } from '@/lib/db/client';
import { lockShop } from './lock-shop';

/** The most members of a shop. */
export const MAX_MEMBERS = 100;
/** The most shops of a person. */
const MAX_SHOPS = 20;

/**
 * Makes a person a member of a shop, by an invitation. The lock makes a removal of the inviter, which withdraws their
 * invitations, come before or after.
 * @returns false if they are one already, or there are too many members or shops
 */
export async function joinShop(
  tx: Db,
  { shopId, role, topics }: { shopId: string } & Standing,
  { userId, addedBy }: { userId: string; addedBy: string },
): Promise<boolean> {
  if (!(await lockShop(tx, shopId))) return false;
  const members = await tx.shopMember.count({ where: { shopId } });
  const shops = await tx.shopMember.count({ where: { userId } });
  if (members >= MAX_MEMBERS || shops >= MAX_SHOPS) return false;
  const { count } = await tx.shopMember.createMany({
    data: { shopId, userId, role, topics: [...topics], addedBy },
    skipDuplicates: true,
  });
  return count === 1;
}
