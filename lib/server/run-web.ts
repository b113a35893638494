import 'server-only';
import { createHash } from 'node:crypto';
import { watchEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { watchBlocks } from '@/lib/block/watch-blocks';
import { startRisk } from '@/lib/checkout/evaluate-risk';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { keepPublishing } from '@/lib/metrics/publish-figures';
import { issueOrderNo } from '@/lib/order/issue-order-no';
import { answerFailure } from './answer-failure';
import { createWebServer } from './create-server';
import { drain } from './drain';
import { endProcess, onceTold } from './end-process';
import { BACKLOG, listen } from './listen';
import { createPageCache } from './page-cache';
import { readCommonHeaders } from './read-common-headers';
import { releaseHeld } from './release-held';
import { createSender } from './send-reply';
import type { NextProcess } from './start-next';

/** What names a request for Next alone; derived, so that guessing at it never tells anything about the secret itself. */
export const laneSecretOf = (internalSecret: string): string =>
  createHash('sha256').update(`lane:${internalSecret}`).digest('hex');

/** Serves the shop from this process until SIGTERM or SIGINT, then ends it within 5 s, every answer given. */
export async function runWeb({ upstream, onPagesChanged, stop }: NextProcess): Promise<void> {
  const { port, host, internalSecret } = env();
  const commonHeaders = await readCommonHeaders(upstream);
  const send = createSender(commonHeaders);
  const pages = createPageCache(upstream.ask, (error, request, response) =>
    answerFailure(send, error, request, response),
  );
  onPagesChanged(pages.forget);
  const web = createWebServer({
    next: upstream.forward,
    hasFastLane: true,
    pages,
    commonHeaders,
    laneSecret: laneSecretOf(internalSecret),
  });
  await Promise.all([watchBlocks(), watchEndedSessions(), startRisk()]);
  // Leases the worker number before the first shopper needs it; with Redis away the first purchase tries again.
  await Promise.resolve(issueOrderNo('warm-up')).catch(() => undefined);
  await listen(web.server, { port, host: host || undefined, backlog: BACKLOG });
  log.info({ port, hasFastLane: true }, 'web process listens');
  keepPublishing('web');

  onceTold(async (signal) => {
    log.info({ signal }, 'web process stops');
    await drain(web);
    await endProcess(() => Promise.all([stop(), releaseHeld()]));
  });
}
