import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { lockShop } from '@/lib/shop/records/lock-shop';
import type { Shop } from '@/prisma/generated/client';

/**
 * Changes a shop or its members under its lock, for its owners and for admins.
 * @returns `not_found` also for a shop in which the actor is no member
 * @throws NotAllowedError for other members
 */
export const changeShop = <Result>(
  actor: Actor,
  shopId: string,
  change: (tx: Db, shop: Shop) => Promise<Result>,
): Promise<Result | 'not_found'> =>
  transaction(async (tx) => {
    const shop = await lockShop(tx, shopId);
    return shop && (await mayManage(actor, shopId, 'members', tx)) ? change(tx, shop) : 'not_found';
  });
