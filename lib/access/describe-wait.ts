import type { ProblemOptions } from '@/lib/http/problem';

/** What is tried again and again, as a refusal names it. */
export type TriedThing =
  | 'sign-in'
  | 'password'
  | 'registration'
  | 'verification'
  | 'verification-link'
  | 'invitation';

/** What a 429 says to whoever has to wait: the fields that every limit here has, as `describeLimit` writes them. */
export function describeWait(scope: TriedThing, waitMs: number): ProblemOptions {
  return {
    retryAfterMs: waitMs,
    headers: {
      ratelimit: `"${scope}";r=0;t=${Math.ceil(waitMs / 1_000)}`,
      'ratelimit-policy': `"${scope}";q=1`,
    },
    extra: { scope },
  };
}
