import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemReply } from '@/lib/http/problem';
import type { createColdPath } from './answer-cold';
import { type createDirectPath, isDirect } from './answer-direct';
import { addressOf } from './client-header';
import { countAtEnd } from './count-answers';
import type { DecideHot } from './decide-hot';
import type { createDirectRoutes } from './direct-routes';
import type { Limits } from './limits';
import { type HotRoute, matchRoute } from './match-route';
import type { createEventPath } from './open-events';
import { originForm } from './origin-form';
import type { createOtherOrigin } from './other-origin';
import { hasBody, readBody } from './read-body';
import { refuseHosts } from './refuse-odd';
import { routeClass } from './route-class';
import type { SendReply } from './send-reply';
import { isPage } from './wire';
import { writePage } from './write-response';

/** The parts of a web server that answer what node:http has read. */
export type HttpParts = {
  send: SendReply;
  limits: Limits;
  decideHot: DecideHot;
  answerCold: ReturnType<typeof createColdPath>;
  openEvents: ReturnType<typeof createEventPath>;
  findDirect: ReturnType<typeof createDirectRoutes>;
  direct: ReturnType<typeof createDirectPath>;
  otherOrigin: ReturnType<typeof createOtherOrigin> | null;
  toNext: (request: IncomingMessage, response: ServerResponse) => void;
  /** Tells whether Next is to answer whatever it can. */
  isForNext: (request: IncomingMessage) => boolean;
  /** From then on every answer closes its connection. */
  isDraining: () => boolean;
};

/** Answers one request. */
export function answerHttp(parts: HttpParts, request: IncomingMessage, response: ServerResponse): void {
  const { otherOrigin } = parts;
  const target = originForm(request);
  if (parts.isDraining()) response.shouldKeepAlive = false;
  if (refuseHead(parts, request, response, target)) return;
  const route = matchRoute(request.method, target);
  if (route?.name === 'purchase') otherOrigin?.mark(request, response);
  const isForNext = parts.isForNext(request);
  if (isForNext && route) hotToNext(parts, route, request, response);
  else if (!route && !isForNext && tryDirect(parts, request, response)) return;
  else if (!route || route.name === 'page') {
    countAtEnd(routeClass(target), response);
    void parts.answerCold(request, response, target);
  } else if (route.name === 'events') parts.openEvents(route.saleId, request, response);
  else if (route.name === 'purchase' && hasBody(request)) readAndAnswer(parts, route, request, response);
  else void answerHot(parts, route, request, response);
}

/** Answers what its head alone decides. @returns whether it did */
function refuseHead(
  { send, limits, otherOrigin }: HttpParts,
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
): boolean {
  if (target.length > limits.maxTargetChars) {
    response.writeHead(414, { connection: 'close', 'content-length': 0 });
    response.end();
    return true;
  }
  const hosts = refuseHosts(request);
  if (hosts) response.shouldKeepAlive = false;
  const told = hosts ?? otherOrigin?.preflight(request, target);
  if (told) send(response, told);
  return Boolean(told);
}

function hotToNext(
  { toNext }: HttpParts,
  route: HotRoute,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  // These answers are too small to be worth compressing, whether the server or Next gives them.
  if (route.name !== 'page') request.headers['accept-encoding'] = undefined;
  countAtEnd(route.name, response);
  toNext(request, response);
}

/** Answers without Next what needs a session and no page. @returns whether it does */
function tryDirect(
  { findDirect, direct }: HttpParts,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const target = request.url ?? '';
  const found = isDirect(request) ? findDirect(request.method, target) : null;
  if (!found) return false;
  countAtEnd(routeClass(target), response);
  void direct.serve(found, request, response);
  return true;
}

/** A purchase takes a place only once its body is complete: slow bodies take none. */
function readAndAnswer(
  parts: HttpParts,
  route: HotRoute,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { send, limits } = parts;
  readBody(request, { maxBytes: limits.maxPurchaseBodyBytes, withinMs: limits.bodyTimeoutMs }).then(
    (body) => {
      if (typeof body === 'string') send(response, problemReply('TOO_LARGE'));
      else void answerHot(parts, route, request, response, body.toString('utf8'));
    },
    () => response.destroy(),
  );
}

async function answerHot(
  parts: HttpParts,
  route: HotRoute,
  request: IncomingMessage,
  response: ServerResponse,
  body = '',
): Promise<void> {
  const token = request.headers['x-entry-token'];
  const entryToken = typeof token === 'string' ? token : null;
  const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
  const wants = { acceptEncoding, ifNoneMatch };
  const address = () => addressOf(request);
  const reply = await parts.decideHot(route, request.url ?? '', entryToken, body, wants, address);
  if (parts.isDraining()) response.shouldKeepAlive = false;
  if (!reply) {
    if (!tryDirect(parts, request, response)) hotToNext(parts, route, request, response);
  } else if (isPage(reply)) writePage(response, reply);
  else parts.send(response, reply);
}
