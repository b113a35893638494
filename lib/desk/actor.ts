import type { CurrentUser } from '@/lib/account/types';

/** Who acts at the desk. */
export type Actor = Pick<CurrentUser, 'userId' | 'role'>;

/** Merchants see only their own; operators and admins see everybody's. */
export const seesAll = (actor: Actor): boolean => actor.role === 'operator' || actor.role === 'admin';

/** May `actor` see and change what belongs to `merchantId`? */
export const mayManage = (actor: Actor, merchantId: string): boolean =>
  seesAll(actor) || (actor.role === 'merchant' && actor.userId === merchantId);
