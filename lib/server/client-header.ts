import 'server-only';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { env } from '@/lib/env';
import { clientAddress } from './client-address';

/** How our server tells Next who sent a request. What a client sends under this name is replaced, and not believed. */
export const CLIENT_HEADER = 'x-seckill-client';

/** Proves that the header was written by us, also where Next can be reached past our server. */
let proof: Buffer | undefined;
function ownProof(): Buffer {
  proof ??= Buffer.from(
    createHash('sha256').update(`client:${env().internalSecret}`).digest('base64url').slice(0, 32),
  );
  return proof;
}

/** Who sent a request that our server has read. */
export const addressOf = ({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>) =>
  clientAddress(socket.remoteAddress ?? null, headers['x-forwarded-for'], env().trustProxyHops);

/** The header's value for a request that is passed on to Next. */
export const clientHeader = (request: IncomingMessage): string => `${ownProof()} ${addressOf(request) ?? ''}`;

/**
 * Who sent a request, asked in Next: as our server tells, or, if none of ours is before it, as the proxies of
 * `TRUST_PROXY` do. Null if nobody tells.
 */
export function requestAddress(headers: Headers): string | null {
  const [given = '', address = ''] = headers.get(CLIENT_HEADER)?.split(' ') ?? [];
  const bytes = Buffer.from(given);
  if (bytes.length === ownProof().length && timingSafeEqual(bytes, ownProof())) return address || null;
  return clientAddress(null, headers.get('x-forwarded-for'), env().trustProxyHops);
}
