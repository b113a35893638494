import 'server-only';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { env } from '@/lib/env';
import type { HeaderReader } from '@/lib/http/request-head';
import { clientAddress } from './client-address';
import type { PlainRequest } from './plain-request';

/**
 * The header in which our server tells Next the client's address. The server replaces whatever a client sends under
 * this name.
 */
export const CLIENT_HEADER = 'x-seckill-client';

/** Proves that our server wrote the header, also where a client can reach Next directly. */
let proof: Buffer | undefined;
function ownProof(): Buffer {
  proof ??= Buffer.from(
    createHash('sha256').update(`client:${env().internalSecrets[0]}`).digest('base64url').slice(0, 32),
  );
  return proof;
}

type Client = Pick<IncomingMessage, 'socket' | 'headers'>;

/** Returns the client's address of a request that our server has read. */
export const addressOf = ({ socket, headers }: Client) =>
  clientAddress(socket.remoteAddress ?? null, headers['x-forwarded-for'], env().trustProxyHops);

/** Returns the same of a request that was read without node:http. */
export const plainAddressOf = ({ forwardedFor }: PlainRequest, socket: Socket) =>
  addressOf({ socket, headers: { 'x-forwarded-for': forwardedFor } });

/** Returns the header's value for a request passed on to Next. */
export const clientHeader = (request: Client): string => `${ownProof()} ${addressOf(request) ?? ''}`;

/**
 * Returns the client's address inside Next: from our server's header, or, without our server in front, from the
 * proxies that `TRUST_PROXY` names. Null if neither gives it.
 */
export function requestAddress(headers: HeaderReader): string | null {
  const [given = '', address = ''] = headers.get(CLIENT_HEADER)?.split(' ') ?? [];
  const bytes = Buffer.from(given);
  if (bytes.length === ownProof().length && timingSafeEqual(bytes, ownProof())) return address || null;
  return clientAddress(null, headers.get('x-forwarded-for'), env().trustProxyHops);
}
