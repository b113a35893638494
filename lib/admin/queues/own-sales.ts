import 'server-only';
import { db } from '@/lib/db/client';
import { type Actor, shownShop } from '../actor';

/** Returns the ids of the sales whose queues the actor may see; null: all. */
export async function ownSales(actor: Actor): Promise<string[] | null> {
  const shopId = await shownShop(actor);
  if (shopId === null) return null;
  const sales = await db().sale.findMany({ where: { merchantId: shopId }, select: { id: true } });
  return sales.map(({ id }) => id);
}
