import 'server-only';
import type { ProblemOptions } from '@/lib/http/problem';
import type { OwnFactorResult } from './check-factor';
import type { OwnerResult } from './check-owner';
import { describeWait } from './describe-wait';
import { refusePassword } from './refuse-password';

type FactorRefused = Exclude<OwnFactorResult, { status: 'right' }>;
type FactorCode = 'FACTOR_CODE_WRONG' | 'PASSKEY_WRONG' | 'RATE_LIMITED';

/** Refuses a request whose second factor was not accepted. @param refuse of the operation */
export function refuseFactor(
  refused: FactorRefused,
  refuse: (code: FactorCode, options?: ProblemOptions) => Response,
): Response {
  switch (refused.status) {
    case 'code_wrong':
      return refuse('FACTOR_CODE_WRONG');
    case 'passkey_wrong':
      return refuse('PASSKEY_WRONG');
    case 'code_limited':
      return refuse('RATE_LIMITED', describeWait('second-step', refused.waitMs));
  }
}

/** Refuses a request whose password or second factor was not accepted. @param refuse of the operation */
export function refuseOwner(
  refused: Exclude<OwnerResult, { status: 'right' }>,
  refuse: (code: FactorCode | 'PASSWORD_WRONG' | 'UNAVAILABLE', options?: ProblemOptions) => Response,
): Response {
  switch (refused.status) {
    case 'wrong':
    case 'limited':
    case 'busy':
      return refusePassword(refused, refuse);
    default:
      return refuseFactor(refused, refuse);
  }
}
