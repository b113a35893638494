import 'server-only';
import type { ProblemOptions } from '@/lib/http/problem';
import type { PasswordResult } from './check-password';
import { describeLine, describeWait } from './describe-wait';

/** `signed_out`: the session ended meanwhile. */
type Refused = Exclude<PasswordResult, { status: 'right' }> | { status: 'signed_out' };
type Code = 'PASSWORD_WRONG' | 'RATE_LIMITED' | 'UNAVAILABLE' | 'UNAUTHENTICATED';

/** Refuses a request whose present password was not accepted. @param refuse of the operation */
export function refusePassword(
  refused: Refused,
  refuse: (code: Code, options?: ProblemOptions) => Response,
): Response {
  switch (refused.status) {
    case 'wrong':
      return refuse('PASSWORD_WRONG');
    case 'signed_out':
      return refuse('UNAUTHENTICATED');
    case 'limited':
      return refuse('RATE_LIMITED', describeWait('password', refused.waitMs));
    case 'busy':
      return refuse('UNAVAILABLE', describeLine('password', refused.comeBack));
  }
}
