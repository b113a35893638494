import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { within } from '@/lib/errors/within';
import { failureReply } from '@/lib/http/failure-reply';
import { problemReply } from '@/lib/http/problem';
import { MAX_JSON_BYTES } from '@/lib/http/read-json';
import type { Reply } from '@/lib/http/reply';
import type { FoundRoute, RawHead } from './direct-routes';
import { createFairQueue } from './fair-queue';
import type { Limits } from './limits';
import { clientOf, refuseTurn } from './pass-to-next';
import { hasBody, readBody } from './read-body';
import type { SendReply } from './send-reply';
import { whenOver } from './when-over';
import { isPage, type WirePage } from './wire';
import { toWirePage, writePage } from './write-response';

type DirectPath = {
  /** Reads the rest of a request that node:http reads, and answers it. Never rejects. */
  serve: (found: FoundRoute, request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Answers a request that is complete. Never rejects. */
  answerPlain: (found: FoundRoute, target: string, body: string, head: RawHead) => Promise<Reply | WirePage>;
};

/**
 * Answers what goes by a session and needs no page: entries, and what a page asks on every visit. Clients take turns,
 * as before Next.
 * @param common headers of every answer: name, value …
 */
export function createDirectPath(send: SendReply, common: readonly string[], limits: Limits): DirectPath {
  const queue = createFairQueue(limits.direct);
  const bodyLimits = { maxBytes: MAX_JSON_BYTES, withinMs: limits.bodyTimeoutMs };

  const answer = async ({ route, params }: FoundRoute, target: string, body: string, raw: RawHead) => {
    try {
      const asked = { method: route.method, headers: headersOf(raw), target, body, raw };
      const answered = await within(limits.directAnswerMs, route.path, route.answer(asked, params));
      return answered instanceof Response ? await toWirePage(answered, common) : answered;
    } catch (error) {
      return failureReply(error, target);
    }
  };
  /** @param whenGone calls back when the client gives up. @returns null if it did while it waited */
  const takeTurn = async (
    found: FoundRoute,
    target: string,
    body: string,
    raw: RawHead,
    whenGone: (leave: () => void) => void,
  ): Promise<Reply | WirePage | null> => {
    const ticket = queue.enter(clientOf(raw));
    if (ticket.isWaiting) whenGone(ticket.leave);
    const turn = await ticket.turn;
    if (turn === 'left') return null;
    if (turn !== 'yours') return refuseTurn(turn, limits.direct);
    return answer(found, target, body, raw).finally(ticket.leave);
  };

  return {
    async serve(found, request, response) {
      const body = hasBody(request) ? await readBody(request, bodyLimits).catch(() => null) : '';
      if (body === null) {
        response.destroy();
        return;
      }
      if (body === 'too_large' || body === 'no_room') return send(response, problemReply('TOO_LARGE'));
      if (request.socket.destroyed) return;
      const answered = await takeTurn(found, request.url ?? '', String(body), request, (leave) =>
        whenOver(request, response, leave),
      );
      if (!answered) return;
      if (isPage(answered)) writePage(response, answered);
      else send(response, answered);
    },
    async answerPlain(found, target, body, raw) {
      const { socket } = raw;
      let leave = () => {};
      const answered = await takeTurn(found, target, body, raw, (giveUp) => {
        leave = giveUp;
        socket.once('close', leave);
      });
      socket.off('close', leave);
      // A client that has gone reads no reply.
      return answered ?? refuseTurn('left', limits.direct);
    },
  };
}

/** Reads headers as `Headers` does. */
function headersOf({ headers }: RawHead): Pick<Headers, 'get'> {
  return {
    get(name) {
      const value = headers[name.toLowerCase()];
      return value === undefined ? null : String(value);
    },
  };
}

/** Tells whether a request is plain enough: Next gets what has no host, and a question with a body. */
export const isDirect = ({ method, headers }: IncomingMessage): boolean =>
  headers.host !== undefined &&
  (method === 'POST' || (headers['content-length'] ?? '0') === '0') &&
  headers['transfer-encoding'] === undefined;
