import type { UserView } from '@/lib/contract/shapes/user';

export type UserResult =
  | { status: 'changed'; user: UserView }
  | { status: 'not_found' }
  /** Somebody changed it since: as it is now. */
  | { status: 'conflict'; user: UserView }
  /** Nobody takes the admin area away from themselves. */
  | { status: 'own_account' }
  /** Nobody could give roles any more. */
  | { status: 'last_admin' };
