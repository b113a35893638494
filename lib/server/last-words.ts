import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Reply } from '@/lib/http/reply';

/** For the client to take the answer and close. */
const LINGER_MS = 1_000;

/** Answers on a connection that node:http has given up, and closes it. */
export function sayLastWords(socket: Socket, { status, headers, body }: Reply): void {
  const all = { ...headers, connection: 'close', 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  // Gone already, perhaps: then nobody needs the answer.
  socket.on('error', () => socket.destroy());
  // No idle timeout: a client that dribbles would put that off for ever.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
