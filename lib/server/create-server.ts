import 'server-only';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { failureReply } from '@/lib/http/failure-reply';
import { log } from '@/lib/http/log';
import { problemReply } from '@/lib/http/problem';
import { answerHot } from './answer-hot';
import { LIMITS } from './limits';
import { type HotRoute, matchRoute } from './match-route';
import type { PageCache } from './page-cache';
import { ClientGoneError } from './read-body';
import { createSender } from './send-reply';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

export type ServerOptions = {
  /** Next: answers whatever the fast lane does not. */
  next: Handler;
  upgrade?: UpgradeHandler;
  /** False: everything is Next's. */
  hasFastLane: boolean;
  /** Headers of every answer, name, value, name, value …; those Next was seen to add. */
  commonHeaders: readonly string[];
  pages?: PageCache;
  maxInFlight?: number;
  /** A request that names this secret in `X-Seckill-Lane` is answered by Next; for comparing the two. */
  laneSecret?: string;
};

export type WebServer = {
  server: Server;
  /** From now on every answer closes its connection. */
  beginDrain: () => void;
};

/**
 * The server that owns the socket. Hot routes are answered here, by the same functions Next's route handlers call;
 * everything else goes to Next unchanged.
 */
export function createWebServer(options: ServerOptions): WebServer {
  const { next, upgrade, hasFastLane, pages, laneSecret, maxInFlight = LIMITS.maxInFlight } = options;
  const send = createSender(options.commonHeaders);
  let inFlight = 0;
  let isDraining = false;

  const toNext = (request: IncomingMessage, response: ServerResponse) => {
    next(request, response).catch((error: unknown) => {
      log.error({ path: request.url, err: error }, 'next failed');
      if (response.headersSent) response.destroy();
      else send(response, problemReply('INTERNAL'));
    });
  };

  const hotToNext = (route: HotRoute, request: IncomingMessage, response: ServerResponse) => {
    // These answers are too small to be worth compressing, whoever gives them.
    if (route.name !== 'page') request.headers['accept-encoding'] = undefined;
    toNext(request, response);
  };

  const answer = (route: HotRoute, request: IncomingMessage, response: ServerResponse) => {
    if (inFlight >= maxInFlight) {
      send(response, problemReply('UNAVAILABLE'));
      return;
    }
    const reply = answerHot(route, request);
    if (!reply) {
      hotToNext(route, request, response);
      return;
    }
    inFlight += 1;
    reply.then(
      (done) => {
        inFlight -= 1;
        if (isDraining) response.shouldKeepAlive = false;
        send(response, done);
      },
      (error: unknown) => {
        inFlight -= 1;
        if (error instanceof ClientGoneError) response.destroy();
        else send(response, failureReply(error, request.url ?? ''));
      },
    );
  };

  const server = createServer(
    {
      maxHeaderSize: LIMITS.maxHeaderBytes,
      headersTimeout: LIMITS.headersTimeoutMs,
      requestTimeout: LIMITS.requestTimeoutMs,
      keepAliveTimeout: LIMITS.keepAliveTimeoutMs,
      connectionsCheckingInterval: LIMITS.checkIntervalMs,
    },
    (request, response) => {
      const target = request.url ?? '';
      if (isDraining) response.shouldKeepAlive = false;
      if (target.length > LIMITS.maxTargetChars) {
        response.writeHead(414, { connection: 'close', 'content-length': 0 });
        response.end();
        return;
      }
      const route = matchRoute(request.method, target);
      if (!route) {
        toNext(request, response);
        return;
      }
      const lane = request.headers['x-seckill-lane'];
      if (!hasFastLane || (lane !== undefined && lane === laneSecret)) hotToNext(route, request, response);
      else if (route.name !== 'page') answer(route, request, response);
      else if (!pages?.answer(request, response, target)) toNext(request, response);
    },
  );
  if (upgrade) {
    server.on('upgrade', (request, socket, head) => {
      upgrade(request, socket, head).catch(() => socket.destroy());
    });
  }
  return {
    server,
    beginDrain() {
      isDraining = true;
    },
  };
}
