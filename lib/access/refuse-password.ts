import 'server-only';
import type { ProblemOptions } from '@/lib/http/problem';
import type { OwnPasswordResult } from './check-password';
import { describeComeBack, describeWait } from './describe-wait';

type Refused = Exclude<OwnPasswordResult, { status: 'right' }>;
type Code = 'PASSWORD_WRONG' | 'NO_PASSWORD' | 'RATE_LIMITED' | 'UNAVAILABLE' | 'UNAUTHENTICATED';

/** Refuses a request whose present password was not accepted. @param refuse of the operation */
export function refusePassword(
  refused: Refused,
  refuse: (code: Code, options?: ProblemOptions) => Response,
): Response {
  switch (refused.status) {
    case 'no_password':
      return refuse('NO_PASSWORD');
    case 'wrong':
      return refuse('PASSWORD_WRONG');
    case 'signed_out':
      return refuse('UNAUTHENTICATED');
    case 'limited':
      return refuse('RATE_LIMITED', describeWait('password', refused.waitMs));
    case 'busy':
      return refuse('UNAVAILABLE', describeComeBack('password', refused.comeBack));
  }
}
