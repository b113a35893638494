import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import type { ShopAct } from '@/lib/contract/words/shop';
import { db } from '@/lib/db/client';

/** Returns the ids of the sales of the shops in which the actor may do something; null: all there are. */
export async function ownSales(actor: Actor, act: ShopAct = 'see'): Promise<string[] | null> {
  const shops = await shopsOf(actor, act);
  if (shops === null) return null;
  const sales = await db().sale.findMany({ where: { merchantId: { in: shops } }, select: { id: true } });
  return sales.map(({ id }) => id);
}
