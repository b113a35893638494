import 'server-only';
import type { ShopRole, ShopTopic, Standing } from '@/lib/contract/words/shop';
import { type Db, db } from '@/lib/db/client';

/** Returns what a person is in a shop, as of now; null: no member. @param shopId `merchantId` of what belongs to it */
export async function findStanding(shopId: string, userId: string): Promise<Standing | null> {
  const row = await db().shopMember.findUnique({ where: { shopId_userId: { shopId, userId } } });
  return row && toStanding(row);
}

/**
 * Returns the same, and keeps it so until the end of the transaction: whoever takes it away waits for that, and a change
 * that comes later sees that it is gone.
 */
export async function holdStanding(tx: Db, shopId: string, userId: string): Promise<Standing | null> {
  const [row] = await tx.$queryRaw<{ role: string; topics: string[] }[]>`
    SELECT role, topics FROM shop_members WHERE shop_id = ${shopId} AND user_id = ${userId} FOR SHARE`;
  return row ? toStanding(row) : null;
}

/** Turns what the database holds into a `Standing`; its checks guard the words. */
export const toStanding = ({ role, topics }: { role: string; topics: string[] }) => ({
  role: role as ShopRole,
  topics: topics as ShopTopic[],
});
