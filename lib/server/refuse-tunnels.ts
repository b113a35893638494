import 'server-only';
import { type Server, STATUS_CODES } from 'node:http';
import { problemReply } from '@/lib/http/problem';
import { SERVED_METHODS } from './served-methods';

/**
 * Answers CONNECT, which Node would meet with a silently closed connection. Upgrades need nothing: without a listener
 * Node leaves the offer aside and the request is answered like any other (RFC 9110, 7.8).
 */
export function refuseTunnels(server: Server): void {
  server.on('connect', (_request, socket) => {
    const { status, headers, body } = problemReply('METHOD_NOT_ALLOWED', {
      headers: { allow: SERVED_METHODS.join(', ') },
    });
    const lines = Object.entries({
      ...headers,
      connection: 'close',
      'content-length': String(Buffer.byteLength(body)),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    // Gone already, perhaps: then nobody needs the answer.
    socket.on('error', () => socket.destroy());
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  });
}
