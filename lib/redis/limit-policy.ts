/** How calls are counted; what each of them means stands in `scripts/parts`. */
export const LIMIT_ALGORITHMS = ['fixed-window', 'sliding-window', 'token-bucket', 'leaky-bucket'] as const;
export type LimitAlgorithm = (typeof LIMIT_ALGORITHMS)[number];

/** At most `limit` calls (1 … 1,000,000) in `windowSec` (1 … 86,400), as the algorithm understands it. */
export type LimitPolicy = { algorithm: LimitAlgorithm; limit: number; windowSec: number };

/** How often one user, one address, and all of them together may ask. Those that are left out are not limited. */
export type SaleLimits = { user?: LimitPolicy; interface?: LimitPolicy; ip?: LimitPolicy };

/** A call that was one too many: whose limit it met, that limit, and after which time a call would be let through. */
export type RateLimited = { scope: LimitScope; limit: number; windowMs: number; waitMs: number };
export type LimitScope = 'user' | 'ip' | 'interface';

const NONE = '- 0 0';

/** As the purchase script reads them: letter, limit and windowMs of the user's, the interface's and the address's; empty = none. */
export function formatLimits(limits: SaleLimits | null | undefined): string {
  if (!limits?.user && !limits?.interface && !limits?.ip) return '';
  return [limits.user, limits.interface, limits.ip].map(format).join(' ');
}

const format = (policy?: LimitPolicy): string =>
  policy ? `${policy.algorithm[0]} ${policy.limit} ${policy.windowSec * 1000}` : NONE;
