import type { LimitPolicy, SaleLimits } from '@/lib/contract/shapes/limit';

/** Whom a limit counts, in the order of the scripts. */
export const LIMIT_SCOPES = ['user', 'interface', 'ip'] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

/**
 * A call that was one too many: the limit that makes it wait longest, whose it is, and the time after which all of them
 * would let a call through.
 */
export type RateLimited = { scope: LimitScope; limit: number; windowMs: number; waitMs: number };

const NONE = '- 0 0';

/** As the purchase script reads them: letter, limit and windowMs of the user's, the interface's and the address's; empty = none. */
export function formatLimits(limits: SaleLimits | null | undefined): string {
  if (!LIMIT_SCOPES.some((scope) => limits?.[scope])) return '';
  return LIMIT_SCOPES.map((scope) => format(limits?.[scope])).join(' ');
}

const format = (policy?: LimitPolicy): string =>
  policy ? `${policy.algorithm[0]} ${policy.limit} ${policy.windowSec * 1000}` : NONE;
