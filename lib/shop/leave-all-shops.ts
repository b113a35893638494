import 'server-only';
import type { Db } from '@/lib/db/client';
import { hasOtherOwner } from './has-other-owner';
import { lockShop } from './lock-shop';
import { withdrawInvitations } from './withdraw-invitations';

/** Why a person can't leave: sales, products or campaigns, or other members, would have no owner. */
export type LeaveObstacle = 'owns_sales' | 'last_owner';

/** Tells why a person can't leave all their shops; null: they can. Locks the shops. */
export async function whyNotLeave(tx: Db, userId: string): Promise<LeaveObstacle | null> {
  const owned = await tx.shopMember.findMany({
    where: { userId, role: 'owner' },
    orderBy: { shopId: 'asc' },
    select: { shopId: true },
  });
  for (const { shopId } of owned) {
    await lockShop(tx, shopId);
    if (await hasOtherOwner(tx, shopId, userId)) continue;
    if (await hasContent(tx, shopId)) return 'owns_sales';
    if ((await tx.shopMember.count({ where: { shopId } })) > 1) return 'last_owner';
  }
  return null;
}

/** Ends all memberships of a person, in the transaction that has asked `whyNotLeave`. */
export async function leaveAllShops(tx: Db, userId: string): Promise<void> {
  const shops = await tx.shopMember.findMany({ where: { userId }, select: { shopId: true } });
  for (const { shopId } of shops) await withdrawInvitations(tx, shopId, userId);
  await tx.shopMember.deleteMany({ where: { userId } });
}

/** Tells whether sales, products or campaigns belong to a shop, of any state. */
async function hasContent(tx: Db, shopId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ has: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM sales WHERE merchant_id = ${shopId})
        OR EXISTS (SELECT 1 FROM products WHERE merchant_id = ${shopId})
        OR EXISTS (SELECT 1 FROM campaigns WHERE merchant_id = ${shopId}) AS has`;
  return row?.has === true;
}
