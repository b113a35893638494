import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { clearFailures, postFailures } from '@/lib/cache/failure-board';
import { type PurgeOutcome, sendPurge } from '@/lib/cdn/send-purge';
import { tagsOfSales } from '@/lib/cdn/tags';
import { purgeAdapter } from '@/lib/cdn/vendors';
import { nowMs } from '@/lib/clock';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';

const RETRY_AFTER_MS = [1_000, 4_000, 15_000, 60_000];
/** The longest wait that a CDN may ask for; Fastly's limit counts by the hour. */
const MAX_WAIT_MS = 3_600_000;
/** How long the admin area shows a purge that was given up; the CDN's own time to live is shorter. */
const SHOWN_MS = 24 * 3_600_000;

type Purge = {
  /** The sales it is about; the admin area shows a failure under the first one. */
  slugs: readonly string[];
  /** The pages the CDN should forget, as shoppers request them: with language, without origin. */
  paths: readonly string[];
};

/**
 * Makes the CDN forget the pages of these sales, by its vendor's interface (CDN_VENDOR) or `POST CDN_PURGE_URL
 * {paths}`; does nothing without a CDN. Tries five times, within 90 s unless the CDN asks for more, and not after a
 * final refusal. The admin area shows the failure and the next try.
 * @param retryAfterMs waits between attempts
 * @returns whether the CDN has accepted all of it; resolves after the last attempt.
 */
export async function purgeCdn(
  { slugs, paths }: Purge,
  retryAfterMs: readonly number[] = RETRY_AFTER_MS,
): Promise<boolean> {
  const adapter = purgeAdapter(env());
  const [subject] = slugs;
  if (!adapter || subject === undefined) return true;
  const name = `/sales/${subject}${slugs.length > 1 ? ` +${slugs.length - 1}` : ''}`;
  const since = nowMs();
  let left = adapter.requests({ tags: tagsOfSales(slugs), paths });
  for (let attempts = 1; ; attempts += 1) {
    let outcome: PurgeOutcome = { status: 'taken' };
    // One after the other: their limits count requests, and what was refused is tried again first.
    for (let [first] = left; first && outcome.status === 'taken'; [first] = left) {
      outcome = await sendPurge(first, adapter);
      if (outcome.status === 'taken') left = left.slice(1);
    }
    if (outcome.status === 'taken') {
      // Also clears an earlier purge that was given up: this one was about the same pages.
      await clearFailures('cdn', [name]);
      return true;
    }
    const { error, isFinal } = outcome;
    const planned = isFinal ? undefined : retryAfterMs[attempts - 1];
    const waitMs =
      planned === undefined ? undefined : Math.min(MAX_WAIT_MS, Math.max(planned, outcome.waitMs ?? 0));
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
