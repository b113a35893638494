import type { UserView } from '@/lib/contract/shapes/user';

export type UserResult =
  | { status: 'changed'; user: UserView }
  | { status: 'not_found' }
  /** The actor may do this to shoppers only. */
  | { status: 'staff_account' }
  /** The account has changed since; `user` is its present state. */
  | { status: 'conflict'; user: UserView }
  /** No one may take the admin area away from themselves. */
  | { status: 'own_account' }
  /** No other admin could give roles. */
  | { status: 'last_admin' };
