import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Reply } from '@/lib/http/reply';

/** How long the client has to read the answer and close. */
const LINGER_MS = 1_000;

/** Answers on a connection that node:http has given up, then closes it. */
export function sayLastWords(socket: Socket, { status, headers, body }: Reply): void {
  const all = { ...headers, connection: 'close', 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  // The client may have gone already: then the answer does not matter.
  socket.on('error', () => socket.destroy());
  // Not an idle timeout: a client that sends byte by byte would postpone that forever.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
