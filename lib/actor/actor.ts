import type { CurrentUser } from '@/lib/account/types';
import type { AuditActor } from '@/lib/audit/record-action';
import { may, type Permission } from '@/lib/contract/words/roles';

/** The person who acts in the admin area; with a `session`, a change counts only if that still lasts at its end. */
export type Actor = Pick<CurrentUser, 'userId' | 'role'> & Pick<AuditActor, 'session'>;

/** Returns the actor for the audit log where the action ends their own session, or can't be undone any more. */
export const withoutSession = ({ userId, role }: Actor): Actor => ({ userId, role });

/** Tells whether the actor sees all merchants' data; merchants see only their own. */
export const seesAll = (actor: Actor): boolean => actor.role !== 'shopper' && actor.role !== 'merchant';

const isOwner = (actor: Actor, merchantId: string): boolean =>
  actor.role === 'merchant' && actor.userId === merchantId;

/** Tells whether `actor` may look at what belongs to `merchantId`. */
export const maySee = (actor: Actor, merchantId: string): boolean =>
  seesAll(actor) || isOwner(actor, merchantId);

/** Tells whether `actor` may change what belongs to `merchantId`. */
export const mayManage = (actor: Actor, merchantId: string): boolean =>
  may(actor.role, 'operator') || isOwner(actor, merchantId);

/**
 * Throws if the actor lacks a permission. For functions whose endpoints have checked before, so nobody expects a
 * refusal here.
 * @throws Error if `actor` may not.
 */
export function demand(actor: Actor, permission: Permission): void {
  if (!may(actor.role, permission)) throw new Error(`a ${actor.role} may not (${permission})`);
}
