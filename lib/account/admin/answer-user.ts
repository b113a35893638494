import type { UserView } from '@/lib/contract/shapes/user';
import { problem } from '@/lib/http/problem';
import type { UserResult } from './types';

/** Makes the HTTP answer to a change of an account: the account, 404, or 409 with the reason. */
export function answerUser(result: UserResult): UserView | Response {
  switch (result.status) {
    case 'changed':
      return result.user;
    case 'not_found':
      return problem('USER_NOT_FOUND');
    case 'staff_account':
      return problem('FORBIDDEN');
    case 'conflict':
      return problem('VERSION_CONFLICT', { extra: { current: result.user } });
    case 'own_account':
      return problem('OWN_ACCOUNT');
    case 'last_admin':
      return problem('LAST_ADMIN');
  }
}
