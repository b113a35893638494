import { may } from '@/lib/account/roles';
import type { CurrentUser } from '@/lib/account/types';

/** Who acts at the desk. */
export type Actor = Pick<CurrentUser, 'userId' | 'role'>;

/** Who sees everybody's; merchants see only their own. */
export const seesAll = (actor: Actor): boolean => actor.role !== 'shopper' && actor.role !== 'merchant';

const isOwner = (actor: Actor, merchantId: string): boolean =>
  actor.role === 'merchant' && actor.userId === merchantId;

/** May `actor` look at what belongs to `merchantId`? */
export const maySee = (actor: Actor, merchantId: string): boolean =>
  seesAll(actor) || isOwner(actor, merchantId);

/** May `actor` change what belongs to `merchantId`? */
export const mayManage = (actor: Actor, merchantId: string): boolean =>
  may(actor.role, 'operator') || isOwner(actor, merchantId);
