import type { IncomingMessage } from 'node:http';

const ABSOLUTE = /^https?:\/\/([^/?]*)(.*)$/is;

/**
 * The target of a request as paths are written everywhere: servers have to take the absolute form too
 * (`GET http://shop.example/orders`, RFC 9112, 3.2.2), which Next would send back to itself. That of another host than the
 * request's stays as it is, and is refused.
 */
export function originForm(request: IncomingMessage): string {
  const { url = '', headers } = request;
  if (url.startsWith('/')) return url;
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined || host.toLowerCase() !== headers.host?.toLowerCase()) return url;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return request.url;
}
