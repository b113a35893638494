import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { may } from '@/lib/contract/words/roles';
import { db } from '@/lib/db/client';
import type { DeadLetter } from '@/prisma/generated/client';
import { lettersOf } from './list-dead-letters';

/** Returns a dead letter that the actor may deal with, or null. @param id decimal */
export async function findLetter(actor: Actor, id: string): Promise<DeadLetter | null> {
  if (!/^\d{1,18}$/.test(id) || !may(actor.role, 'manageSales')) return null;
  return db().deadLetter.findFirst({ where: { id: BigInt(id), ...(await lettersOf(actor)) } });
}
