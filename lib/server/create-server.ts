import 'server-only';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createColdPath } from './answer-cold';
import { createDirectPath } from './answer-direct';
import { answerHttp, type HttpParts } from './answer-http';
import { answerPlain } from './answer-plain';
import { plainAddressOf } from './client-header';
import { createHotPath } from './decide-hot';
import { createDirectRoutes, type DirectRoute } from './direct-routes';
import { closeStreams } from './events-registry';
import { createIdleTime } from './idle-time';
import type { StreamLimits } from './join-sale';
import { LIMITS, type Limits } from './limits';
import { createListPages } from './list-pages';
import type { FindBrotli } from './made-brotli';
import { createEventPath, openPlainEvents, STREAM_HEADERS } from './open-events';
import { createOtherOrigin } from './other-origin';
import { createPageCache, type PageCache } from './page-cache';
import { createNextDoor } from './pass-to-next';
import { createPlainConnections, type PlainConnections } from './plain-connections';
import { refuseMalformed } from './refuse-malformed';
import { refuseTunnels } from './refuse-tunnels';
import { routeClass } from './route-class';
import { createSender } from './send-reply';
import type { SiteMap } from './site-map';
import type { Upstream } from './upstream';
import { whenOver } from './when-over';
import { createWire, type Wire } from './wire';

export type ServerOptions = {
  /** Forwards to Next, which answers whatever the fast path does not. */
  next: Upstream['forward'];
  /** Asks Next for a page to keep; without it the server keeps no pages. */
  ask?: (path: string) => Promise<IncomingMessage>;
  /** Knows which addresses exist; without it the server asks Next for all of them. */
  site?: SiteMap;
  /** Routes for signed-in shoppers that the server answers itself; without them it asks Next. */
  direct?: readonly DirectRoute[];
  /** Finds files that the build compressed. */
  findBrotli?: FindBrotli;
  /** False: Next answers whatever it can. */
  hasFastPath: boolean;
  /** False: node:http reads every request. */
  hasPlainHttp?: boolean;
  /** Headers of every answer, name, value, name, value …; those Next was seen to add. */
  commonHeaders: readonly string[];
  /** The origin whose pages buy at another name of the shop; without it none may. */
  pagesOrigin?: string;
  /** Values that replace those of `LIMITS`; for tests that need not wait as long as clients may. */
  limits?: Partial<Limits>;
  streamLimits?: StreamLimits;
  /** Next answers a request with this secret in `X-Seckill-Lane`; for comparing the two. */
  fastPathSecret?: string;
};

export type WebServer = {
  server: Server;
  /** Ends the streams that Next sends; their readers reconnect. */
  endStreamsOfNext: () => void;
  /** Forgets kept pages by path; all pages without a path. */
  forgetPages: PageCache['forget'];
  /** From now on every answer closes its connection. */
  beginDrain: () => void;
  /** Ends all streams and admits no more; their readers reconnect elsewhere. */
  endStreams: () => void;
  closeIdle: () => void;
  closeAll: () => void;
};

/**
 * Creates the server that owns the socket. It answers hot routes with the same functions Next's route handlers call,
 * answers direct routes and kept pages itself, refuses what is wrong, and passes the rest to Next. It reads plain hot requests without node:http
 * (`plain-connections.ts`).
 */
export function createWebServer(options: ServerOptions): WebServer {
  const { next, ask, site, findBrotli, hasFastPath, hasPlainHttp = true, fastPathSecret } = options;
  const { commonHeaders, pagesOrigin, streamLimits } = options;
  const limits: Limits = { ...LIMITS, ...options.limits };
  const send = createSender(commonHeaders);
  const door = createNextDoor(next, send, limits);
  const pages = ask && site && hasFastPath ? createPageCache(site, ask, door.enter, findBrotli) : undefined;
  const { toNext, endStreamsOfNext } = createNextStreams(door);
  let isDraining = false;
  const parts: HttpParts = {
    send,
    limits,
    decideHot: createHotPath(createListPages(commonHeaders), limits.maxInFlight),
    answerCold: createColdPath({ send, limits, toNext, site, pages }),
    openEvents: createEventPath(send, commonHeaders, streamLimits),
    findDirect: createDirectRoutes(options.direct ?? []),
    direct: createDirectPath(send, commonHeaders, limits),
    otherOrigin: pagesOrigin === undefined ? null : createOtherOrigin(pagesOrigin),
    toNext,
    isForNext: ({ headers: { 'x-seckill-lane': named } }) =>
      !hasFastPath || (named !== undefined && named === fastPathSecret),
    isDraining: () => isDraining,
  };
  const server = createHttpServer(limits, (request, response) => answerHttp(parts, request, response));
  const idleTime = createIdleTime(server, limits);
  const plain =
    hasFastPath && hasPlainHttp
      ? takePlain(server, { ...parts, pages }, createWire(commonHeaders, idleTime), streamLimits, idleTime)
      : undefined;
  return {
    server,
    endStreamsOfNext,
    forgetPages: (paths) => pages?.forget(paths),
    beginDrain() {
      isDraining = true;
      plain?.beginDrain();
    },
    endStreams() {
      void closeStreams();
      endStreamsOfNext();
    },
    closeIdle() {
      plain?.closeIdle();
      server.closeIdleConnections();
    },
    closeAll() {
      plain?.closeAll();
      server.closeAllConnections();
    },
  };
}

/** Passes requests on to Next, and knows its event streams: they don't end by themselves. */
function createNextStreams(door: ReturnType<typeof createNextDoor>) {
  const streams = new Set<ServerResponse>();
  return {
    toNext(request: IncomingMessage, response: ServerResponse) {
      if (routeClass(request.url ?? '') === 'events') {
        streams.add(response);
        whenOver(request, response, () => streams.delete(response));
      }
      void door.pass(request, response);
    },
    endStreamsOfNext() {
      for (const response of streams) if (response.headersSent) response.end();
    },
  };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

function createHttpServer(limits: Limits, answer: Answer): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      // `refuseHosts` refuses such a request with our own message.
      requireHostHeader: false,
    },
    (request, response) => {
      noteRequest(request, response);
      answer(request, response);
    },
  );
  server.setTimeout(limits.silenceTimeoutMs);
  // The server also answers a client that has sent its whole request and closed its half of the connection.
  Object.assign(server, { httpAllowHalfOpen: true });
  refuseTunnels(server);
  const noteRequest = refuseMalformed(server);
  return server;
}

/** Takes the server's connections, and gives them to node:http with the first request that is not plain. */
function takePlain(
  server: Server,
  parts: HttpParts & { pages: PageCache | undefined },
  wire: Wire,
  streamLimits: StreamLimits | undefined,
  idleTime: () => number,
): PlainConnections {
  const toHttp = server.listeners('connection')[0] as (this: Server, socket: Socket) => void;
  server.off('connection', toHttp);
  const plain = createPlainConnections(
    wire,
    {
      findDirect: parts.findDirect,
      stream: (saleId, request, socket, leave) => {
        const [address, head] = [plainAddressOf(request, socket), wire.streamHead(STREAM_HEADERS)];
        return openPlainEvents({ saleId, address, socket, head, leave }, streamLimits);
      },
      answer: (request, socket) => answerPlain(parts, request, socket),
      toHttp: (socket) => toHttp.call(server, socket),
    },
    parts.limits,
    idleTime,
  );
  server.on('connection', plain.take);
  return plain;
}
