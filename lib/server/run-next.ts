import 'server-only';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { keepWritingSecurityLog } from '@/lib/access/write-security-log';
import { watchEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { watchBlocks } from '@/lib/block/watch-blocks';
import { env } from '@/lib/env';
import { declareNeed } from '@/lib/health/process-needs';
import { log } from '@/lib/http/log';
import { internalAuthorization } from '@/lib/internal-authorization';
import { watchLeftTurns } from '@/lib/line/records/left-turns';
import { keepPublishing } from '@/lib/metrics/publish-figures';
import { keepOrderNos } from '@/lib/order/records/keep-order-nos';
import { loadScripts } from '@/lib/redis/run-script';
import { startRisk } from '@/lib/risk/evaluate-risk';
import { helpPublishing } from '@/lib/sale/publish-sales';
import { watchSwitchboard } from '@/lib/switchboard/is-on';
import { keepShedding } from '@/lib/switchboard/shed-by-load';
import { answerPassword, bringsPassword } from './answer-passwords';
import { createWebServer } from './create-server';
import { drain } from './drain';
import { endProcess, onStopSignal } from './end-process';
import { followPageChanges } from './follow-page-changes';
import { guardPages } from './guard-pages';
import { BACKLOG, listen } from './listen';
import { localPages } from './page-changes';
import { privateSocketPath } from './private-socket-path';
import { readCommonHeaders } from './read-common-headers';
import { releaseHeld } from './release-held';
import type { SiteMap } from './site-map';
import { openUpstream, type Upstream } from './upstream';

/** How often to report the memory; the process in front decides when it is too much. */
const TELL_MEMORY_EVERY_MS = 5_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Serves Next from this process: on the Unix socket named by the fast path's process that started it, or, without
 * one, on the public port alone.
 */
export async function runNext(next: Handler, site?: SiteMap): Promise<void> {
  const given = process.argv[2];
  const socketPath = given ?? privateSocketPath();
  if (given !== undefined) await endWithParent(socketPath);
  await watchStores();
  const { isHttps, purchaseOrigin, assetOrigin, cdn } = env();
  const guarded = guardPages(next, {
    isSecure: isHttps,
    purchaseOrigin,
    assetOrigin,
    cdnVendor: cdn?.vendor,
  });
  /** Known once Next has answered something. */
  let commonHeaders: readonly string[] | undefined;
  const answer: Handler = (request, response) =>
    commonHeaders && bringsPassword(request)
      ? answerPassword(request, response, commonHeaders)
      : guarded(request, response);
  const own = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ path: request.url, err: error }, 'next failed');
      response.destroy();
    });
  });
  // The process in front guards against slow clients and closes connections it no longer needs.
  Object.assign(own, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
  // `exclusive`: even in a cluster the socket belongs to this process alone.
  await listen(own, { path: socketPath, exclusive: true });
  const upstream = openUpstream(socketPath);
  renewPagesOf(upstream);
  commonHeaders = await readCommonHeaders(upstream);
  keepPublishing(given === undefined ? 'web' : 'next');

  if (given !== undefined) {
    if (process.connected) process.send?.({ type: 'ready' });
    setInterval(() => {
      if (process.connected) process.send?.({ type: 'memory', rssBytes: process.memoryUsage.rss() });
    }, TELL_MEMORY_EVERY_MS).unref();
    return;
  }
  await serveAlone(upstream, socketPath, commonHeaders, site);
}

/** Ends this process when the one in front, which started it, has ended. */
async function endWithParent(socketPath: string): Promise<void> {
  // Ctrl-C reaches every process of the terminal: this one ends when the process in front has given its last answer.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});
  const leave = () => {
    // The parent may have been killed: then no other process removes the file.
    rmSync(dirname(socketPath), { recursive: true, force: true });
    return endProcess(releaseHeld);
  };
  process.once('disconnect', leave);
  // It may be gone already.
  if (!process.connected) await leave();
}

/** Starts to follow what pages and interfaces depend on in the stores. May take long while a store is away. */
async function watchStores(): Promise<void> {
  loadScripts();
  await Promise.all([
    watchBlocks(),
    watchEndedSessions(),
    watchLeftTurns(),
    watchSwitchboard(),
    startRisk(),
    helpPublishing(),
  ]);
  keepWritingSecurityLog();
}

/** Serves Next on the public port, where there is no process in front. */
async function serveAlone(
  upstream: Upstream,
  socketPath: string,
  commonHeaders: readonly string[],
  site?: SiteMap,
): Promise<void> {
  const { port, host, publicUrl, purchaseOrigin, drainMs } = env();
  await keepOrderNos();
  keepShedding();
  // Uses the socket all the same: the bounds before Next then apply here too.
  const web = createWebServer({
    next: upstream.forward,
    site,
    hasFastPath: false,
    commonHeaders,
    pagesOrigin: purchaseOrigin && publicUrl,
  });
  await listen(web.server, { port, host: host || undefined, backlog: BACKLOG });
  log.info({ port, hasFastPath: false }, 'web process listens');
  onStopSignal(async () => {
    declareNeed('accepting', () => false);
    await drain(web, { acceptMs: drainMs });
    rmSync(dirname(socketPath), { recursive: true, force: true });
    await endProcess(releaseHeld);
  });
}

/** Lets this process reach its own Next, and renews its pages when another process has renewed its own. */
function renewPagesOf(upstream: Upstream): void {
  localPages().visit = async (address) => {
    const answer = await upstream.call('GET', address, {}).catch(() => null);
    answer?.resume();
    return answer?.statusCode === 200;
  };
  followPageChanges(async (renewal) => {
    const answer = await upstream.call(
      'POST',
      '/api/internal/revalidate',
      { 'content-type': 'application/json', authorization: internalAuthorization() },
      JSON.stringify(renewal),
    );
    answer.resume();
    if (answer.statusCode !== 200) throw new Error(`revalidate answered ${answer.statusCode}`);
  });
}
