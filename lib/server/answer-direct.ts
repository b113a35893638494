import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { within } from '@/lib/errors/within';
import { failureReply } from '@/lib/http/failure-reply';
import { problemReply } from '@/lib/http/problem';
import { MAX_JSON_BYTES } from '@/lib/http/read-json';
import type { FoundRoute } from './direct-routes';
import { createFairQueue } from './fair-queue';
import type { Limits } from './limits';
import { clientOf, refuseTurn } from './pass-to-next';
import { hasBody, readBody } from './read-body';
import type { SendReply } from './send-reply';
import { whenOver } from './when-over';
import { writeResponse } from './write-response';

type DirectPath = (found: FoundRoute, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Answers what goes by a session and needs no page: entries, and what a page asks on every visit. Clients take turns,
 * as before Next. Never rejects.
 * @param common headers of every answer: name, value …
 */
export function createDirectPath(send: SendReply, common: readonly string[], limits: Limits): DirectPath {
  const line = createFairQueue(limits.direct);
  const bodyLimits = { maxBytes: MAX_JSON_BYTES, withinMs: limits.bodyTimeoutMs };

  const answer = async ({ route, params }: FoundRoute, request: IncomingMessage, body: string) => {
    const target = request.url ?? '';
    try {
      const asked = { method: route.method, headers: headersOf(request), target, body, raw: request };
      return await within(limits.directAnswerMs, route.path, route.answer(asked, params));
    } catch (error) {
      return failureReply(error, target);
    }
  };

  return async (found, request, response) => {
    const body = hasBody(request) ? await readBody(request, bodyLimits).catch(() => null) : '';
    if (body === null) {
      response.destroy();
      return;
    }
    if (body === 'too_large' || body === 'no_room') return send(response, problemReply('TOO_LARGE'));
    if (request.socket.destroyed) return;
    const ticket = line.enter(clientOf(request));
    if (ticket.isWaiting) whenOver(request, response, ticket.leave);
    const turn = await ticket.turn;
    if (turn === 'left') return;
    if (turn !== 'yours') return send(response, refuseTurn(turn, limits.direct));
    const answered = await answer(found, request, String(body)).finally(ticket.leave);
    if (!(answered instanceof Response)) return send(response, answered);
    await writeResponse(response, answered, common);
  };
}

/** Reads headers as `Headers` does. */
function headersOf({ headers }: IncomingMessage): Pick<Headers, 'get'> {
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
