import 'server-only';
import type { ProblemOptions } from '@/lib/http/problem';
import type { OwnFactorResult } from './check-factor';
import type { OwnerResult } from './check-owner';
import { describeWait } from './describe-wait';
import { refusePassword } from './refuse-password';
import type { RemoveResult } from './remove-factor';

/** `signed_out`: the session ended meanwhile. */
type SignedOut = { status: 'signed_out' };
type FactorRefused = Exclude<OwnFactorResult, { status: 'right' }> | SignedOut;
type FactorCode = 'FACTOR_CODE_WRONG' | 'PASSKEY_WRONG' | 'RATE_LIMITED' | 'UNAUTHENTICATED';
type OwnerCode = FactorCode | 'PASSWORD_WRONG' | 'NO_PASSWORD' | 'UNAVAILABLE';

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
    case 'signed_out':
      return refuse('UNAUTHENTICATED');
  }
}

/** Refuses a request whose password or second factor was not accepted. @param refuse of the operation */
export function refuseOwner(
  refused: Exclude<OwnerResult, { status: 'right' }>,
  refuse: (code: OwnerCode, options?: ProblemOptions) => Response,
): Response {
  switch (refused.status) {
    case 'no_password':
    case 'wrong':
    case 'limited':
    case 'busy':
      return refusePassword(refused, refuse);
    default:
      return refuseFactor(refused, refuse);
  }
}

/** Refuses the removal of a second factor. @param refuse of the operation */
export function refuseRemoval(
  refused: Exclude<RemoveResult, { status: 'removed' }>,
  refuse: (code: OwnerCode | 'FACTOR_NOT_FOUND', options?: ProblemOptions) => Response,
): Response {
  return refused.status === 'not_found' ? refuse('FACTOR_NOT_FOUND') : refuseOwner(refused, refuse);
}
