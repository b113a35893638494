import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { clearFailures, postFailures } from '@/lib/cache/failure-board';
import { nowMs } from '@/lib/clock';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';

const TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = [1_000, 4_000, 15_000, 60_000];
/** How long a purge that was given up stays in the admin area; the CDN's own time to live is shorter. */
const SHOWN_MS = 24 * 3_600_000;

type Purge = {
  /** The sales it is about; in the admin area its failure is the first one's. */
  slugs: readonly string[];
  /** What the CDN is to forget, as it is asked for: with language, without origin. */
  paths: readonly string[];
};

/**
 * Has the CDN forget pages: `POST CDN_PURGE_URL {paths}`, any 2xx will do. Tried five times within a minute and a half;
 * the admin area shows from the first failure what is wrong and when it is tried again. Nothing without CDN_PURGE_URL.
 * @param retryAfterMs waits between attempts
 * @returns whether the CDN has taken it; resolves after the last attempt.
 */
export async function purgeCdn(
  { slugs, paths }: Purge,
  retryAfterMs: readonly number[] = RETRY_AFTER_MS,
): Promise<boolean> {
  const url = env().cdnPurgeUrl;
  const [subject] = slugs;
  if (url === undefined || subject === undefined) return true;
  const name = `/sales/${subject}${slugs.length > 1 ? ` +${slugs.length - 1}` : ''}`;
  const since = nowMs();
  for (let attempts = 1; ; attempts += 1) {
    const error = await post(url, paths);
    if (error === null) {
      // Also what an earlier purge had to give up: this one forgot the same pages.
      await clearFailures('cdn', [name]);
      return true;
    }
    const waitMs = retryAfterMs[attempts - 1];
    const now = nowMs();
    const nextTryAt = waitMs === undefined ? null : now + waitMs;
    log.warn({ name, error, attempts, nextTryAt }, 'the CDN did not take a purge');
    void postFailures([
      { kind: 'cdn', name, subject, since, attempts, nextTryAt, error, until: now + SHOWN_MS },
    ]);
    if (waitMs === undefined) return false;
    await delay(waitMs, undefined, { ref: false });
  }
}

/** Null when it was taken, else why not. The address may hold a secret: it is in no message. */
async function post(url: string, paths: readonly string[]): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ paths }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? null : `answered ${response.status}`;
  } catch (error) {
    if (!(error instanceof Error)) return 'failed';
    const { cause } = error as { cause?: { code?: unknown } };
    return error.name === 'TimeoutError'
      ? `no answer in ${TIMEOUT_MS / 1000} s`
      : String(cause?.code ?? error.name);
  }
}
