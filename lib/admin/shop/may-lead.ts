import 'server-only';
import { may } from '@/lib/contract/words/roles';
import type { Db } from '@/lib/db/client';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { type Actor, mayManage, seesAll } from '../actor';

/**
 * Tells whether the actor may change a shop's name and members: its owners, and admins. Not operators: a member of a
 * shop has an account that works in the admin area, and those are for admins to give.
 * @returns false: to the actor there is no such shop @throws NotAllowedError for other members, and for who only sees it
 */
export async function mayLead(tx: Db, actor: Actor, shopId: string): Promise<boolean> {
  if (may(actor.role, 'manageUsers')) return true;
  if (seesAll(actor)) throw new NotAllowedError('members');
  return mayManage(actor, shopId, 'members', tx);
}
