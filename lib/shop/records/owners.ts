import 'server-only';
import type { Db } from '@/lib/db/client';

/** Returns the shops that would have no owner who can sign in if this person left. */
export async function shopsLedAlone(from: Db, userId: string): Promise<string[]> {
  const rows = await from.$queryRaw<{ shopId: string }[]>`
    SELECT m.shop_id AS "shopId" FROM shop_members m
    WHERE m.user_id = ${userId} AND m.role = 'owner' AND NOT EXISTS (
      SELECT 1 FROM shop_members o JOIN users u ON u.id = o.user_id
      WHERE o.shop_id = m.shop_id AND o.role = 'owner' AND o.user_id <> m.user_id
        AND u.banned_at IS NULL AND u.role <> 'shopper')
    ORDER BY m.shop_id`;
  return rows.map(({ shopId }) => shopId);
}

/** Tells whether a shop has an owner, and keeps that so until the transaction ends. */
export async function hasOwner(tx: Db, shopId: string): Promise<boolean> {
  // The release before deletes accounts and leaves their memberships.
  const owners = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM shop_members m JOIN users u ON u.id = m.user_id
    WHERE m.shop_id = ${shopId} AND m.role = 'owner' AND u.deleted_at IS NULL ORDER BY m.user_id FOR SHARE OF m, u`;
  return owners.length > 0;
}
