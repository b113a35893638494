import 'server-only';
import { type Db, db } from '@/lib/db/client';

/** How many shops one person can be a member of. */
export const MAX_SHOPS = 20;

/**
 * Returns the id of the shop a person works in just now: the one they have chosen, if they are still a member of it, else
 * the one they have been in for the longest time; null: they are in none.
 * @param chosen what their browser says; may be any text
 */
export async function chosenShop(userId: string, chosen = '', tx: Db = db()): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ shopId: string }[]>`
    SELECT shop_id AS "shopId" FROM shop_members WHERE user_id = ${userId}
    ORDER BY shop_id = ${chosen} DESC, created_at, shop_id LIMIT 1`;
  return row?.shopId ?? null;
}
