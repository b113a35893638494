import type { ProblemOptions } from '@/lib/http/problem';
import type { RateLimited } from '@/lib/redis/limit-policy';

/**
 * Describes in a 429 the limit that was met: `Retry-After` and the fields of draft-ietf-httpapi-ratelimit-headers-10,
 * `RateLimit-Policy: "user";q=5;w=60` (quota, window) and `RateLimit: "user";r=0;t=12` (remaining, seconds until some
 * are).
 */
export function describeLimit({ scope, limit, windowMs, waitMs }: RateLimited): ProblemOptions {
  return {
    retryAfterMs: waitMs,
    headers: {
      'ratelimit-policy': `"${scope}";q=${limit};w=${windowMs / 1000}`,
      ratelimit: `"${scope}";r=0;t=${Math.ceil(waitMs / 1000)}`,
    },
    extra: { scope },
  };
}
