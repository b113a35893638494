import 'server-only';
import { type Actor, mayWorkOn } from '@/lib/actor/actor';
import { db } from '@/lib/db/client';
import type { DeadLetter } from '@/prisma/generated/client';

/** Returns a dead letter that the actor may deal with, or null. @param id decimal @throws NotAllowedError as `mayWorkOn` */
export async function findLetter(actor: Actor, id: string): Promise<DeadLetter | null> {
  if (!/^\d{1,18}$/.test(id)) return null;
  const letter = await db().deadLetter.findUnique({ where: { id: BigInt(id) } });
  return letter && (await mayWorkOn(actor, letter.saleId)) ? letter : null;
}
