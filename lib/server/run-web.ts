import 'server-only';
import { createHash } from 'node:crypto';
import { watchEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { watchBlocks } from '@/lib/block/watch-blocks';
import { env } from '@/lib/env';
import { declareNeed } from '@/lib/health/process-needs';
import { log } from '@/lib/http/log';
import { watchLeftTurns } from '@/lib/line/records/left-turns';
import { keepPublishing } from '@/lib/metrics/publish-figures';
import { keepOrderNos } from '@/lib/order/records/keep-order-nos';
import { loadScripts } from '@/lib/redis/run-script';
import { startRisk } from '@/lib/risk/evaluate-risk';
import { keepFollowingSales } from '@/lib/sale/follow-sales';
import { expectPages } from '@/lib/sale/known-slugs';
import { watchSwitchboard } from '@/lib/switchboard/is-on';
import { keepShedding } from '@/lib/switchboard/shed-by-load';
import { createWebServer, type ServerOptions } from './create-server';
import { drain } from './drain';
import { endProcess, onStopSignal } from './end-process';
import { BACKLOG, listen } from './listen';
import { readCommonHeaders } from './read-common-headers';
import { releaseHeld } from './release-held';
import type { NextProcess } from './start-next';

/**
 * Derives the secret that sends a request to Next alone; a guess at it reveals nothing about the internal secret
 * itself.
 */
const fastPathSecretOf = (internalSecret: string): string =>
  createHash('sha256').update(`lane:${internalSecret}`).digest('hex');

/**
 * Serves the shop from this process until SIGTERM or SIGINT; then ends after every answer, within `DRAIN_MS` and 5 s.
 * @param given `site`: knows which addresses exist; without it the process keeps no pages and asks Next for everything.
 *   `findBrotli`: finds files that the build compressed; `direct`: what it answers itself for signed-in shoppers
 */
export async function runWeb(
  next: NextProcess,
  { site, findBrotli, direct }: Pick<ServerOptions, 'site' | 'findBrotli' | 'direct'> = {},
): Promise<void> {
  const { upstream } = next;
  const { port, host, internalSecrets, hasPlainHttp, publicUrl, purchaseOrigin, drainMs } = env();
  const web = createWebServer({
    next: upstream.forward,
    ask: (path) => upstream.call('GET', path, {}),
    site,
    direct,
    findBrotli,
    hasFastPath: true,
    hasPlainHttp,
    commonHeaders: await readCommonHeaders(upstream),
    pagesOrigin: purchaseOrigin && publicUrl,
    fastPathSecret: fastPathSecretOf(internalSecrets[0]),
  });
  next.onPagesChanged((paths) => {
    expectPages(paths);
    web.forgetPages(paths);
  });
  next.onReplaced(web.endStreamsOfNext);
  loadScripts();
  await Promise.all([watchBlocks(), watchEndedSessions(), watchLeftTurns(), watchSwitchboard(), startRisk()]);
  await keepOrderNos();
  keepFollowingSales();
  await listen(web.server, { port, host: host || undefined, backlog: BACKLOG });
  log.info({ port, hasFastPath: true, hasPlainHttp }, 'web process listens');
  keepShedding();
  keepPublishing('web');

  onStopSignal(async (signal) => {
    log.info({ signal }, 'web process stops');
    declareNeed('accepting', () => false);
    await drain(web, { acceptMs: drainMs });
    await endProcess(() => Promise.all([next.stop(), releaseHeld()]));
  });
}
