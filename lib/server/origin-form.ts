import type { IncomingMessage } from 'node:http';

const ABSOLUTE = /^https?:\/\/([^/?]*)(.*)$/is;

/**
 * Returns a request's target as a plain path. Servers have to accept the absolute form too (`GET
 * http://shop.example/orders`, RFC 9112, 3.2.2), which Next would send back to itself. A target with another host
 * than the request's stays as it is, and is refused.
 */
export function originForm(request: IncomingMessage): string {
  const { url = '', headers } = request;
  if (url.startsWith('/')) return url;
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined || host.toLowerCase() !== headers.host?.toLowerCase()) return url;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return request.url;
}
