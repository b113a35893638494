import 'server-only';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { problemReply } from '@/lib/http/problem';
import { sayLastWords } from './last-words';
import { SERVED_METHODS } from './served-methods';

/**
 * Answers CONNECT, for which Node would silently close the connection. Upgrades need no code: without a listener Node
 * ignores the offer and answers the request like any other (RFC 9110, 7.8).
 */
export function refuseTunnels(server: Server): void {
  const headers = { allow: SERVED_METHODS.join(', ') };
  server.on('connect', (_request, socket) =>
    sayLastWords(socket as Socket, problemReply('METHOD_NOT_ALLOWED', { headers })),
  );
}
