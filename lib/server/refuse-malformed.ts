import 'server-only';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { sayLastWords } from './last-words';
import { whenOver } from './when-over';

type ParseError = Error & { code?: string };

type Exchange = { request: IncomingMessage; response: ServerResponse; before?: Exchange };

/**
 * Answers what is no HTTP in our words, after the answers that are still owed for what came before it on the same
 * connection; Node would throw those away.
 * @returns to be told of every request
 */
export function refuseMalformed(
  server: Server,
): (request: IncomingMessage, response: ServerResponse) => void {
  const latest = new WeakMap<Socket, Exchange>();
  const refused = new WeakSet<Socket>();

  server.on('clientError', (error: ParseError, socket: Socket) => {
    // Whatever follows is no HTTP either.
    if (refused.has(socket)) return;
    refused.add(socket);
    const refuse = () => {
      if (socket.writable && error.code !== 'ECONNRESET') sayLastWords(socket, replyTo(error));
      else socket.destroy();
    };
    // What was read before, in the same piece, is answered first: a body that was too large already.
    setImmediate(() => {
      const owed = findOwed(latest.get(socket));
      // Answers go out in order: after the last one nothing is owed.
      if (owed && !socket.destroyed) owed.response.once('close', refuse);
      else refuse();
    });
  });
  return (request, response) => {
    const before = latest.get(request.socket);
    const exchange: Exchange = { request, response, before: before?.response.closed ? undefined : before };
    latest.set(request.socket, exchange);
    // Answers go out in order: nothing older is owed then. Else one connection could hold all it ever asked.
    whenOver(request, response, () => {
      exchange.before = undefined;
    });
  };
}

/** The last exchange that will be answered: one whose own body is what could not be read waits for it in vain. */
function findOwed(exchange: Exchange | undefined): Exchange | undefined {
  if (!exchange || exchange.response.closed) return undefined;
  const { request, response, before } = exchange;
  return request.complete || response.headersSent ? exchange : findOwed(before);
}

function replyTo({ code }: ParseError): Reply {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, headers: {}, body: '' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, headers: {}, body: '' };
    default:
      return problemReply('MALFORMED');
  }
}
