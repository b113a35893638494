/** How calls are counted; what each of them means stands in `lib/redis/scripts/parts`. */
export const LIMIT_ALGORITHMS = ['fixed-window', 'sliding-window', 'token-bucket', 'leaky-bucket'] as const;
export type LimitAlgorithm = (typeof LIMIT_ALGORITHMS)[number];

/** The most calls that a limit may allow, and the longest window it may count them in. */
export const MAX_POLICY = { limit: 1_000_000, windowSec: 86_400 } as const;
