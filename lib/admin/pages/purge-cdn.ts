import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { clearFailures, postFailures } from '@/lib/cache/failure-board';
import { nowMs } from '@/lib/clock';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';

const TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = [1_000, 4_000, 15_000, 60_000];
/** How long the admin area shows a purge that was given up; the CDN's own time to live is shorter. */
const SHOWN_MS = 24 * 3_600_000;

type Purge = {
  /** The sales it is about; the admin area shows a failure under the first one. */
  slugs: readonly string[];
  /** The pages the CDN should forget, as shoppers request them: with language, without origin. */
  paths: readonly string[];
};

/**
 * Makes the CDN forget pages: `POST CDN_PURGE_URL {paths}`; any 2xx means success. Tries five times within a minute
 * and a half. From the first failure on, the admin area shows what is wrong and when the next try is. Does nothing
 * without CDN_PURGE_URL.
 * @param retryAfterMs waits between attempts
 * @returns whether the CDN has accepted it; resolves after the last attempt.
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
      // Also clears an earlier purge that was given up: this one was about the same pages.
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

/** Posts the purge. Returns null on success, else the reason. The URL may hold a secret, so it is in no message. */
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
