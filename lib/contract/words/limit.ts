/** The ways to count calls; `lib/redis/scripts/parts` explains each. */
export const LIMIT_ALGORITHMS = ['fixed-window', 'sliding-window', 'token-bucket', 'leaky-bucket'] as const;
export type LimitAlgorithm = (typeof LIMIT_ALGORITHMS)[number];

/** The most calls that a limit may allow, and the longest window in which it may count them. */
export const MAX_POLICY = { limit: 1_000_000, windowSec: 86_400 } as const;
