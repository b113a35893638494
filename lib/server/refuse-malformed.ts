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
 * Answers bytes that are no HTTP with our own message, after the answers still owed to earlier requests on the same
 * connection; Node would throw those away.
 * @returns a function to call for every request
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
    // A request read before, in the same piece, gets its answer first: for example one whose body was too large.
    setImmediate(() => {
      const owed = findOwed(latest.get(socket));
      // Answers go out in order: after the last one, the server owes nothing.
      if (owed && !socket.destroyed) owed.response.once('close', refuse);
      else refuse();
    });
  });
  return (request, response) => {
    const before = latest.get(request.socket);
    const exchange: Exchange = { request, response, before: before?.response.closed ? undefined : before };
    latest.set(request.socket, exchange);
    // Answers go out in order, so nothing older is owed then. Without this, one connection could hold every request
    // it ever made.
    whenOver(request, response, () => {
      exchange.before = undefined;
    });
  };
}

/** Finds the last exchange that will get an answer: one whose own body was unreadable waits for its answer in vain. */
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
