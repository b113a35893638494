import 'server-only';
import { nowMs } from '@/lib/clock';
import { limitMs } from '@/lib/time-limits';
import type { PurgeAdapter, PurgeRequest } from './adapter';

/** Their answers are short; a longer one is not read to its end. */
const MAX_ANSWER_CHARS = 10_000;
/** Errors that a retry cannot fix: a bad request, token or zone. */
const FINAL = new Set([400, 401, 403, 404, 405, 422]);

export type PurgeOutcome =
  | { status: 'taken' }
  /** @property isFinal another try would be refused too. @property waitMs what the CDN asks to wait, if it does */
  | { status: 'failed'; error: string; isFinal: boolean; waitMs: number | null };

/**
 * Sends one request to a CDN. Follows no redirect: it holds a secret. The address may hold one too, so neither is in
 * a message.
 * @param timeoutMs for the whole answer
 */
export async function sendPurge(
  { url, headers, body }: PurgeRequest,
  { refusalIn, waitMsOf }: PurgeAdapter,
  timeoutMs = limitMs('cdnPurge'),
): Promise<PurgeOutcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const { status } = response;
      const waitMs = status === 429 || status === 503 ? waitMsOf(response.headers, nowMs()) : null;
      return { status: 'failed', error: `answered ${status}`, isFinal: FINAL.has(status), waitMs };
    }
    const refusal = refusalIn((await response.text()).slice(0, MAX_ANSWER_CHARS));
    return refusal === null
      ? { status: 'taken' }
      : { status: 'failed', error: refusal, isFinal: false, waitMs: null };
  } catch (error) {
    return { status: 'failed', error: reasonOf(error, timeoutMs), isFinal: false, waitMs: null };
  }
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'failed';
  const { cause } = error as { cause?: { code?: unknown } };
  if (error.name === 'TimeoutError') return `no answer in ${timeoutMs / 1000} s`;
  return String(cause?.code ?? error.name);
}
