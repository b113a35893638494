import 'server-only';
import { createHash } from 'node:crypto';
import { closeDb } from '@/lib/db/client';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { flushAttempts } from '@/lib/metrics/attempts';
import { issueOrderNo, releaseOrderNos } from '@/lib/order/issue-order-no';
import { closeRedis } from '@/lib/redis/client';
import { createWebServer, type Handler, type UpgradeHandler } from './create-server';
import { drain } from './drain';
import { followPageChanges } from './follow-page-changes';
import { openOwnNext } from './own-next';
import { createPageCache } from './page-cache';
import { localPages } from './page-changes';

const RENEW_TIMEOUT_MS = 5_000;
/** Redis or Postgres may be gone while we stop: giving back what we hold must not take longer. */
const RELEASE_WITHIN_MS = 1_000;

/** What names a request for Next alone; derived, so that guessing at it never tells anything about the secret itself. */
export const laneSecretOf = (internalSecret: string): string =>
  createHash('sha256').update(`lane:${internalSecret}`).digest('hex');

/**
 * Serves the shop from this process until SIGTERM or SIGINT, then ends it within 5 s, every answer given.
 * @param next Next's request handler, ready.
 */
export async function runWeb(next: Handler, upgrade: UpgradeHandler): Promise<void> {
  const { port, host, hasFastLane, internalSecret } = env();
  const own = await openOwnNext(next);
  const pages = createPageCache(next, (err, path) =>
    log.error({ err, path }, 'a page could not be rendered'),
  );
  localPages().forget = pages.forget;
  followPageChanges(async (renewal) => {
    const response = await fetch(`${own.origin}/api/internal/revalidate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${internalSecret}` },
      body: JSON.stringify(renewal),
      signal: AbortSignal.timeout(RENEW_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`revalidate answered ${response.status}`);
  });
  const web = createWebServer({
    next,
    upgrade,
    hasFastLane,
    pages,
    commonHeaders: await own.commonHeaders(),
    laneSecret: laneSecretOf(internalSecret),
  });
  // Leases the worker number before the first shopper needs it; with Redis away the first purchase tries again.
  await issueOrderNo('warm-up').catch(() => undefined);
  await new Promise<void>((resolve, reject) => {
    web.server.once('error', reject);
    web.server.listen({ port, host: host || undefined, backlog: 4_096 }, resolve);
  });
  log.info({ port, hasFastLane }, 'web process listens');

  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'web process stops');
    await drain(web);
    own.close();
    const released = Promise.allSettled([flushAttempts(), releaseOrderNos()]).then(() =>
      Promise.allSettled([closeRedis(), closeDb()]),
    );
    await Promise.race([released, new Promise((resolve) => setTimeout(resolve, RELEASE_WITHIN_MS))]);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}
