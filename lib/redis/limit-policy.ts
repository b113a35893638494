/** How calls are counted; what each of them means stands in `scripts/parts`. */
export const LIMIT_ALGORITHMS = ['fixed-window', 'sliding-window', 'token-bucket', 'leaky-bucket'] as const;
export type LimitAlgorithm = (typeof LIMIT_ALGORITHMS)[number];

/** At most `limit` calls (1 … 1,000,000) in `windowSec` (1 … 86,400), as the algorithm understands it. */
export type LimitPolicy = { algorithm: LimitAlgorithm; limit: number; windowSec: number };

/** How often one user, one address, and all of them together may ask. Those that are left out are not limited. */
export type SaleLimits = { user?: LimitPolicy; interface?: LimitPolicy; ip?: LimitPolicy };

/** Whom a limit counts, in the order of the scripts. */
export const LIMIT_SCOPES = ['user', 'interface', 'ip'] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

/**
 * A call that was one too many: whose limit makes it wait longest, that limit, and after which time a call would be let
 * through by all of them.
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
