import 'server-only';
import type { Socket } from 'node:net';
import type { Reply } from '@/lib/http/reply';
import { countRequest } from '@/lib/metrics/http-meter';
import type { HttpParts } from './answer-http';
import { plainAddressOf } from './client-header';
import { counted } from './count-answers';
import type { PageCache } from './page-cache';
import type { PlainAnswer } from './plain-connections';
import { type PlainRequest, readHeaders } from './plain-request';
import { routeClass } from './route-class';
import type { WirePage } from './wire';

type PlainParts = Pick<HttpParts, 'decideHot' | 'findDirect' | 'direct' | 'otherOrigin'> & {
  pages: PageCache | undefined;
};

/** Answers one plain request; null for node:http. */
export function answerPlain(parts: PlainParts, request: PlainRequest, socket: Socket): PlainAnswer {
  const { decideHot, otherOrigin, pages } = parts;
  const { route, target, entryToken, acceptEncoding, ifNoneMatch, body } = request;
  if (route?.name === 'page') return counted(pages?.find(target, acceptEncoding, ifNoneMatch) ?? null);
  const address = () => plainAddressOf(request, socket);
  const reply = route && decideHot(route, target, entryToken, body, request, address);
  if (!reply || route.name !== 'purchase' || !otherOrigin)
    return reply ?? plainDirect(parts, request, socket);
  const allow = (one: Reply | WirePage) => otherOrigin.allow(one, request.origin);
  return reply instanceof Promise ? reply.then(allow) : allow(reply);
}

function plainDirect({ findDirect, direct }: PlainParts, request: PlainRequest, socket: Socket): PlainAnswer {
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
}
