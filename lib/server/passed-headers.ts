import 'server-only';
import { env } from '@/lib/env';
import { CLIENT_HEADER, clientHeader } from './client-header';
import type { RawHead } from './direct-routes';

/** Headers of one connection, not of the message (RFC 9110 7.6.1); Node frames the message itself. */
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
/** Headers between Next's own parts; no client may send them. */
const OF_NEXT =
  /^(?:x-(?:middleware|nextjs|next|now|vercel|invoke|prerender|matched-path|invocation-id|action)\b.*|next-(?:action|resume|hmr-refresh).*|content-security-policy.*)$/;
/** Headers in which a proxy describes the client's connection; without a proxy of ours the client made them up. */
const OF_PROXIES = /^(?:x-forwarded-(?:host|proto|port)|forwarded)$/;

/**
 * Returns the headers of a request for Next: as they came, minus those of its connection and those no client may
 * send, plus the client's address that our server has seen.
 * @param bodyBytes 0: without a body. @returns name, value, name, value …
 */
export function passedHeaders(request: RawHead, bodyBytes: number): string[] {
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
  // Only an HTTP/1.0 request may come without a host.
  if (headers.host === undefined) list.push('host', new URL(env().publicUrl).host);
  // Adds what Next itself would add if it saw the client's connection.
  if (headers['x-forwarded-for'] === undefined) list.push('x-forwarded-for', socket.remoteAddress ?? '');
  return list;
}

/** Picks headers by name. @param isWanted gets the name in lower case */
export function pickHeaders(rawHeaders: readonly string[], isWanted: (name: string) => boolean): string[] {
  const list: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (isWanted(name.toLowerCase())) list.push(name, rawHeaders[at + 1] as string);
  }
  return list;
}
