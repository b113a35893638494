import 'server-only';
import { type Actor, shopsOf, toStanding } from '@/lib/actor/actor';
import type { Page } from '@/lib/contract/shapes/common';
import type { ShopSummary } from '@/lib/contract/shapes/team';
import { db } from '@/lib/db/client';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';

/** Returns one page of the shops the actor may see, newest first, and the actor's standing in each. */
export async function listShops(
  actor: Actor,
  { cursor, limit }: Page,
): Promise<{ shops: ShopSummary[]; nextCursor: string | null }> {
  const shops = await shopsOf(actor);
  const rows = await db().shop.findMany({
    where: {
      AND: [shops === null ? {} : { id: { in: shops } }, cursor ? { id: { lt: decodeCursor(cursor) } } : {}],
    },
    include: { members: { where: { userId: actor.userId } } },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => last.id);
  return {
    shops: page.map(({ id, name, members: [own] }) => ({
      shopId: id,
      name,
      standing: own ? toStanding(own) : null,
    })),
    nextCursor,
  };
}
