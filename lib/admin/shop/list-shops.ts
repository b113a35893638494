import 'server-only';
import type { Page } from '@/lib/contract/shapes/common';
import type { ShopSummary } from '@/lib/contract/shapes/team';
import { db } from '@/lib/db/client';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import { chosenShop } from '@/lib/shop/chosen-shop';
import { toStanding } from '@/lib/shop/find-standing';
import { type Actor, seesAll } from '../actor';

type ShopPage = { shops: ShopSummary[]; nextCursor: string | null; chosen: string | null };

/** Returns one page of the shops the actor is in, or of all for who sees everything; newest first. */
export async function listShops(actor: Actor, { cursor, limit }: Page): Promise<ShopPage> {
  const { userId } = actor;
  const isMerchant = actor.role === 'merchant';
  const rows = await db().shop.findMany({
    where: {
      ...(seesAll(actor) ? {} : { members: { some: { userId: isMerchant ? userId : '' } } }),
      ...(cursor ? { id: { lt: decodeCursor(cursor) } } : {}),
    },
    include: { members: { where: { userId } } },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    shops: page.map(({ id, name, members: [own] }) => ({
      shopId: id,
      name,
      standing: own && isMerchant ? toStanding(own) : null,
    })),
    nextCursor: last && rows.length > limit ? encodeCursor(last.id) : null,
    chosen: isMerchant ? await chosenShop(userId, actor.shopId) : null,
  };
}

/** Returns a shop that the actor may choose: one they are a member of; null if they are not. */
export async function findOwnShop({ userId, role }: Actor, shopId: string): Promise<ShopSummary | null> {
  const row = await db().shopMember.findUnique({
    where: { shopId_userId: { shopId, userId } },
    include: { shop: { select: { name: true } } },
  });
  return row && role === 'merchant' ? { shopId, name: row.shop.name, standing: toStanding(row) } : null;
}
