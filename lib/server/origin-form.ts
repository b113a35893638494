import type { IncomingMessage } from 'node:http';

const ABSOLUTE = /^https?:\/\/([^/?]*)(.*)$/is;
/** Matches the address of payment providers' callbacks with a slash too many at its end. */
const CALLBACK_SLASH = /^(\/api\/payments\/webhooks\/[^/?]+)\/(?=\?|$)/;

/**
 * Returns a request's target as a plain path. Servers must accept the absolute form too (`GET
 * http://shop.example/orders`, RFC 9112, 3.2.2), which Next would send back to itself. A target with another host than
 * the request's stays as it is, and is refused. A callback's address may end with a slash: shops type it, and providers
 * follow no redirect.
 */
export function originForm(request: IncomingMessage): string {
  const target = toPath(request).replace(CALLBACK_SLASH, '$1');
  request.url = target;
  return target;
}

function toPath({ url = '', headers }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined || host.toLowerCase() !== headers.host?.toLowerCase()) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
