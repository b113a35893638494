import type { ComeBack } from '@/lib/account/password-queue';
import type { ProblemOptions } from '@/lib/http/problem';

/** The kinds of tries that are limited, as a refusal names them. */
export type TriedThing =
  | 'sign-in'
  | 'second-step'
  | 'passkey'
  | 'sign-in-server'
  | 'password'
  | 'password-reset'
  | 'password-reset-link'
  | 'email-change'
  | 'email-change-link'
  | 'export'
  | 'registration'
  | 'verification'
  | 'verification-link'
  | 'invitation'
  | 'order-mail'
  | 'picture'
  | 'challenge';

/** Writes what a 429 tells a client that has to wait: the fields that every limit here has, as in `describeLimit`. */
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

/**
 * Writes what a 503 tells a client whose password is not in the queue yet: when to ask again, and when its turn probably
 * comes.
 */
export const describeComeBack = (
  scope: TriedThing,
  { retryAfterMs, expectedMs }: ComeBack,
): ProblemOptions & { extra: Record<string, unknown> } => ({ retryAfterMs, extra: { scope, expectedMs } });
