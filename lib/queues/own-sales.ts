import 'server-only';
import { type Actor, seesAll } from '@/lib/actor/actor';
import { db } from '@/lib/db/client';

/** Returns the ids of the sales whose queues the actor may see; null: all. */
export async function ownSales(actor: Actor): Promise<string[] | null> {
  if (seesAll(actor)) return null;
  const sales = await db().sale.findMany({ where: { merchantId: actor.userId }, select: { id: true } });
  return sales.map(({ id }) => id);
}
