import 'server-only';
import type { Standing } from '@/lib/contract/words/shop';
import type { Db } from '@/lib/db/client';
import { MAX_SHOPS } from './chosen-shop';
import { lockShop } from './lock-shop';

/** How many members a shop can have. */
export const MAX_MEMBERS = 100;

/**
 * Makes a person a member of a shop, as an invitation says; `added_by` is who sent it. Locks the shop, so that who is taken
 * away meanwhile has withdrawn their invitations before the caller looks at this one again.
 * @returns `full` if the shop has as many members, or the person as many shops, as there can be
 */
export async function joinShop(
  tx: Db,
  { shopId, role, topics }: { shopId: string } & Standing,
  userId: string,
  addedBy = userId,
): Promise<'joined' | 'is_member' | 'full' | 'not_found'> {
  if (!(await lockShop(tx, shopId))) return 'not_found';
  const [members, shops] = await Promise.all([
    tx.shopMember.findMany({ where: { shopId }, select: { userId: true } }),
    tx.shopMember.count({ where: { userId } }),
  ]);
  if (members.some((member) => member.userId === userId)) return 'is_member';
  if (members.length >= MAX_MEMBERS || shops >= MAX_SHOPS) return 'full';
  await tx.shopMember.create({ data: { shopId, userId, role, topics: [...topics], addedBy } });
  return 'joined';
}
