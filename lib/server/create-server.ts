import 'server-only';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { failureReply } from '@/lib/http/failure-reply';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { countRequest } from '@/lib/metrics/http-meter';
import { createColdPath } from './answer-cold';
import { createDirectPath, isDirect } from './answer-direct';
import { answerHot } from './answer-hot';
import { addressOf, plainAddressOf } from './client-header';
import { countAtEnd, counted } from './count-answers';
import { createDirectRoutes, type DirectRoute } from './direct-routes';
import { closeStreams } from './events-registry';
import { createIdleTime } from './idle-time';
import type { StreamLimits } from './join-sale';
import { LIMITS, type Limits } from './limits';
import { createListPages } from './list-pages';
import type { FindBrotli } from './made-brotli';
import { type HotRoute, matchRoute } from './match-route';
import { createEventPath, openPlainEvents, STREAM_HEADERS } from './open-events';
import { originForm } from './origin-form';
import { createOtherOrigin } from './other-origin';
import { createPageCache, type PageCache } from './page-cache';
import { createNextDoor } from './pass-to-next';
import { createPlainConnections, type PlainAnswer, type PlainConnections } from './plain-connections';
import { type PlainRequest, readHeaders } from './plain-request';
import { hasBody, readBody } from './read-body';
import { refuseMalformed } from './refuse-malformed';
import { refuseHosts } from './refuse-odd';
import { refuseTunnels } from './refuse-tunnels';
import { routeClass } from './route-class';
import { createSender } from './send-reply';
import type { SiteMap } from './site-map';
import type { Upstream } from './upstream';
import { whenOver } from './when-over';
import { createWire, isPage, type WirePage } from './wire';
import { writePage } from './write-response';

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
  /** False: Next answers everything. */
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
 * and passes everything else to Next unchanged. It reads plain hot requests without node:http
 * (`plain-connections.ts`).
 */
export function createWebServer(options: ServerOptions): WebServer {
  const { next, ask, site, findBrotli, hasFastPath, hasPlainHttp = true, fastPathSecret } = options;
  const limits: Limits = { ...LIMITS, ...options.limits };
  const send = createSender(options.commonHeaders);
  const openEvents = createEventPath(send, options.commonHeaders, options.streamLimits);
  const door = createNextDoor(next, send, limits);
  const pages = ask && site && hasFastPath ? createPageCache(site, ask, door.enter, findBrotli) : undefined;
  const lists = createListPages(options.commonHeaders);
  const findDirect = createDirectRoutes(options.direct ?? []);
  const otherOrigin = options.pagesOrigin === undefined ? null : createOtherOrigin(options.pagesOrigin);
  const direct = createDirectPath(send, options.commonHeaders, limits);
  let inFlight = 0;
  /** Event streams that Next answers: they don't end by themselves. */
  const streamsOfNext = new Set<ServerResponse>();
  let isDraining = false;

  const toNext = (request: IncomingMessage, response: ServerResponse) => {
    if (routeClass(request.url ?? '') === 'events') {
      streamsOfNext.add(response);
      whenOver(request, response, () => streamsOfNext.delete(response));
    }
    void door.pass(request, response);
  };
  const answerCold = createColdPath({ send, limits, toNext, site, pages });
  const cold = (request: IncomingMessage, response: ServerResponse, target: string) => {
    countAtEnd(routeClass(target), response);
    void answerCold(request, response, target);
  };
  const hotToNext = (route: HotRoute, request: IncomingMessage, response: ServerResponse) => {
    // These answers are too small to be worth compressing, whether the server or Next gives them.
    if (route.name !== 'page') request.headers['accept-encoding'] = undefined;
    countAtEnd(route.name, response);
    toNext(request, response);
  };

  /** Answers without Next if it can. @returns whether it does */
  const tryDirect = (request: IncomingMessage, response: ServerResponse): boolean => {
    const target = request.url ?? '';
    const found = isDirect(request) ? findDirect(request.method, target) : null;
    if (!found) return false;
    countAtEnd(routeClass(target), response);
    void direct.serve(found, request, response);
    return true;
  };

  /** Does the same for a plain request; null for node:http. */
  const plainDirect = (request: PlainRequest, socket: Socket): PlainAnswer => {
    const { method, target, lines, body } = request;
    // An order is hot only with an entry token.
    const found = request.direct ?? findDirect(method, target);
    const head = found && readHeaders(lines);
    if (!head) return null;
    const askedAt = performance.now();
    return direct.answerPlain(found, target, body, { method, socket, ...head }).then((done) => {
      countRequest(routeClass(target), done.status, performance.now() - askedAt);
      return done;
    });
  };

  /** Returns null for Next. Never rejects. */
  const decide = (
    route: HotRoute,
    target: string,
    entryToken: string | null,
    body: string,
    wants: Wants,
    address: () => string | null,
  ): PlainAnswer => {
    if (inFlight >= limits.maxInFlight) {
      countRequest(route.name, 503, 0);
      return problemReply('UNAVAILABLE');
    }
    const askedAt = performance.now();
    const reply =
      route.name === 'sales'
        ? lists.find(route.query, wants.acceptEncoding, wants.ifNoneMatch)
        : answerHot(route, entryToken, body, address);
    if (!(reply instanceof Promise)) {
      if (reply) countRequest(route.name, reply.status, performance.now() - askedAt);
      return reply;
    }
    inFlight += 1;
    const end = (done: Reply | WirePage) => {
      inFlight -= 1;
      countRequest(route.name, done.status, performance.now() - askedAt);
      return done;
    };
    return reply.then(end, (error: unknown) => end(failureReply(error, target)));
  };

  const answer = async (route: HotRoute, request: IncomingMessage, response: ServerResponse, body = '') => {
    const token = request.headers['x-entry-token'];
    const entryToken = typeof token === 'string' ? token : null;
    const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
    const wants = { acceptEncoding, ifNoneMatch };
    const reply = await decide(route, request.url ?? '', entryToken, body, wants, () => addressOf(request));
    if (isDraining) response.shouldKeepAlive = false;
    if (!reply) return tryDirect(request, response) ? undefined : hotToNext(route, request, response);
    if (isPage(reply)) writePage(response, reply);
    else send(response, reply);
  };

  /** A purchase takes a place only once its body is complete: slow bodies take none. */
  const readAndAnswer = (route: HotRoute, request: IncomingMessage, response: ServerResponse) => {
    readBody(request, { maxBytes: limits.maxPurchaseBodyBytes, withinMs: limits.bodyTimeoutMs }).then(
      (body) => {
        if (typeof body === 'string') send(response, problemReply('TOO_LARGE'));
        else void answer(route, request, response, body.toString('utf8'));
      },
      () => response.destroy(),
    );
  };

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
      const target = originForm(request);
      if (isDraining) response.shouldKeepAlive = false;
      if (target.length > limits.maxTargetChars) {
        response.writeHead(414, { connection: 'close', 'content-length': 0 });
        response.end();
        return;
      }
      const hosts = refuseHosts(request);
      if (hosts) {
        response.shouldKeepAlive = false;
        send(response, hosts);
        return;
      }
      const route = matchRoute(request.method, target);
      const named = request.headers['x-seckill-lane'];
      const told = otherOrigin?.preflight(request, target);
      if (told) {
        send(response, told);
        return;
      }
      if (route?.name === 'purchase') otherOrigin?.mark(request, response);
      const isForNext = !hasFastPath || (named !== undefined && named === fastPathSecret);
      if (isForNext && route) hotToNext(route, request, response);
      else if (!route && !isForNext && tryDirect(request, response)) return;
      else if (!route || route.name === 'page') cold(request, response, target);
      else if (route.name === 'events') openEvents(route.saleId, request, response);
      else if (route.name === 'purchase' && hasBody(request)) readAndAnswer(route, request, response);
      else void answer(route, request, response);
    },
  );
  server.setTimeout(limits.silenceTimeoutMs);
  const idleTime = createIdleTime(server, limits);
  // The server also answers a client that has sent its whole request and closed its half of the connection.
  Object.assign(server, { httpAllowHalfOpen: true });
  refuseTunnels(server);
  const noteRequest = refuseMalformed(server);

  let plain: PlainConnections | undefined;
  if (hasFastPath && hasPlainHttp) {
    const toHttp = server.listeners('connection')[0] as (this: Server, socket: Socket) => void;
    server.off('connection', toHttp);
    const wire = createWire(options.commonHeaders, idleTime);
    plain = createPlainConnections(
      wire,
      {
        findDirect,
        stream: (saleId, request, socket, leave) => {
          const [address, head] = [plainAddressOf(request, socket), wire.streamHead(STREAM_HEADERS)];
          return openPlainEvents({ saleId, address, socket, head, leave }, options.streamLimits);
        },
        answer: (request, socket) => {
          const { route, target, entryToken, acceptEncoding, ifNoneMatch, body } = request;
          if (route?.name === 'page')
            return counted(pages?.find(target, acceptEncoding, ifNoneMatch) ?? null);
          const address = () => plainAddressOf(request, socket);
          const reply = route && decide(route, target, entryToken, body, request, address);
          if (!reply || route.name !== 'purchase' || !otherOrigin)
            return reply ?? plainDirect(request, socket);
          const allow = (one: Reply | WirePage) => otherOrigin.allow(one, request.origin);
          return reply instanceof Promise ? reply.then(allow) : allow(reply);
        },
        toHttp: (socket) => toHttp.call(server, socket),
      },
      limits,
      idleTime,
    );
    server.on('connection', plain.take);
  }
  const endStreamsOfNext = () => {
    for (const response of streamsOfNext) if (response.headersSent) response.end();
  };
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

/** The client's headers about encodings and about the copy that it already has. */
type Wants = { acceptEncoding: string | undefined; ifNoneMatch: string | undefined };
