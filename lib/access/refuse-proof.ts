import 'server-only';
import type { FactorProof } from '@/lib/contract/shapes/factor';
import type { ProblemOptions } from '@/lib/http/problem';
import type { RemovalCheck } from './check-removal';
import { refusePassword } from './refuse-password';

type Refused = Exclude<RemovalCheck, { status: 'right' }>;
type Code = 'FACTOR_CODE_WRONG' | 'PASSKEY_WRONG' | 'PASSWORD_WRONG' | 'RATE_LIMITED' | 'UNAVAILABLE';

/**
 * Refuses a request whose password, code or passkey was not accepted, alike wherever they are asked for.
 * @param proof what was brought. @param refuse of the operation
 */
export function refuseProof(
  refused: Refused,
  { passkey }: Pick<FactorProof, 'passkey'>,
  refuse: (code: Code, options?: ProblemOptions) => Response,
): Response {
  if (refused.status === 'factor_wrong') return refuse(passkey ? 'PASSKEY_WRONG' : 'FACTOR_CODE_WRONG');
  return refusePassword(refused, refuse);
}
