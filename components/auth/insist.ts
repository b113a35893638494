import { ApiProblem } from '@/components/api/api-problem';
import { backoffMs, RETRY } from '@/components/api/backoff';
import { delay } from '@/components/ui/delay';

/** Why a form waits: the shop has told when the visitor's turn comes, or it does not answer. */
export type Waiting = { why: 'queue'; expectedMs: number } | { why: 'outage' };

type Options = {
  /** Ends it all. */
  signal: AbortSignal;
  /** Called before each wait. */
  tell: (waiting: Waiting) => void;
};

/** The most retries where the shop does not answer; then the form says what is wrong and waits for the next press. */
const MOST_RETRIES = 8;
/** A wait that the shop tells each visitor is spread already. */
const QUEUE_JITTER = 0.1;

/** The shop could not be reached, or can't serve: the same try may succeed in a moment. */
const isOutage = (error: ApiProblem) => error.isTransient && error.status !== 429;

/**
 * Tries again and again: in the password queue for as long as it takes, and each time when the shop has said; where the shop does
 * not answer, a few times.
 * @throws whatever the last try threw; an AbortError once `signal` says so
 */
export async function insist<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { signal, tell }: Options,
): Promise<T> {
  for (let failures = 0; ; ) {
    signal.throwIfAborted();
    try {
      return await attempt(signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiProblem)) throw error;
      const { status, expectedMs, retryAfterMs } = error;
      if (status === 503 && expectedMs !== null) {
        failures = 0;
        tell({ why: 'queue', expectedMs });
        await delay((retryAfterMs ?? RETRY.baseMs) * (1 + QUEUE_JITTER * Math.random()), signal);
        continue;
      }
      failures += 1;
      if (!isOutage(error) || failures > MOST_RETRIES) throw error;
      tell({ why: 'outage' });
      await delay(backoffMs(RETRY, failures, retryAfterMs), signal);
    }
  }
}
