import type { LimitPolicy, SaleLimits } from '@/lib/contract/shapes/limit';

/** Whom a limit counts, in the order of the scripts. */
export const LIMIT_SCOPES = ['user', 'interface', 'ip', 'device'] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

/**
 * A call that was one too many: the limit that makes it wait longest, whose it is, and the time after which all of them
 * would let a call through.
 */
export type RateLimited = { scope: LimitScope; limit: number; windowMs: number; waitMs: number };

const NONE = '- 0 0';

/**
 * As the scripts read them: letter, limit and windowMs of the user's, the interface's, the address's and the device's; empty =
 * none. The device's is written only if there is one: that is the text which the release before this one knows.
 */
export function formatLimits(limits: SaleLimits | null | undefined): string {
  if (!LIMIT_SCOPES.some((scope) => limits?.[scope])) return '';
  const written = LIMIT_SCOPES.filter((scope) => scope !== 'device' || limits?.device);
  return written.map((scope) => format(limits?.[scope])).join(' ');
}

const format = (policy?: LimitPolicy): string =>
  policy ? `${policy.algorithm[0]} ${policy.limit} ${policy.windowSec * 1000}` : NONE;
