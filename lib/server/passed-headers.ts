import 'server-only';
import type { IncomingMessage } from 'node:http';
import { env } from '@/lib/env';
import { CLIENT_HEADER, clientHeader } from './client-header';

/** Belong to one connection, not to the message (RFC 9110 7.6.1); Node frames the message itself. */
export const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'transfer-encoding',
]);
/** Words between Next's own parts, which nobody else has any business to say. */
const OF_NEXT =
  /^(?:x-(?:middleware|nextjs|next|now|vercel|invoke|prerender|matched-path|invocation-id|action)\b.*|next-(?:action|resume|hmr-refresh).*|content-security-policy.*)$/;
/** What a proxy tells of the connection it has seen; without a proxy of ours somebody made it up. */
const OF_PROXIES = /^(?:x-forwarded-(?:host|proto|port)|forwarded)$/;

/**
 * The headers under which a request is passed on to Next: as it came, without what belongs to its connection and what is
 * not for strangers to say, and with whom our server has seen.
 * @param bodyBytes 0: without a body. @returns name, value, name, value …
 */
export function passedHeaders(request: IncomingMessage, bodyBytes: number): string[] {
  const { rawHeaders, headers, socket, method } = request;
  const hasProxy = env().trustProxyHops > 0;
  const list = pickHeaders(
    rawHeaders,
    (name) =>
      headers[name] !== undefined &&
      name !== CLIENT_HEADER &&
      name !== 'content-length' &&
      !OF_ONE_CONNECTION.has(name) &&
      !OF_NEXT.test(name) &&
      (hasProxy || !OF_PROXIES.test(name)),
  );
  list.push(CLIENT_HEADER, clientHeader(request));
  if (bodyBytes > 0 || (method !== 'GET' && method !== 'HEAD'))
    list.push('content-length', String(bodyBytes));
  // Only HTTP/1.0 may do without.
  if (headers.host === undefined) list.push('host', new URL(env().publicUrl).host);
  // What Next itself would add if it saw the client's connection.
  if (headers['x-forwarded-for'] === undefined) list.push('x-forwarded-for', socket.remoteAddress ?? '');
  return list;
}

/** @param isWanted asked with the name in small letters */
export function pickHeaders(rawHeaders: readonly string[], isWanted: (name: string) => boolean): string[] {
  const list: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (isWanted(name.toLowerCase())) list.push(name, rawHeaders[at + 1] as string);
  }
  return list;
}
