import type { HeaderReader } from './request-head';

/**
 * Tells whether a cookie-authenticated mutation comes from our own pages (OWASP: verify the origin with standard
 * headers). Compares `Origin` with the host the request was sent to. Without `Origin`, accepts
 * only `Sec-Fetch-Site: same-origin`.
 */
export function isSameOrigin({ headers }: { headers: HeaderReader }): boolean {
  const origin = headers.get('origin');
  if (origin === null) return headers.get('sec-fetch-site') === 'same-origin';
  const host = headers.get('host');
  return host !== null && URL.canParse(origin) && new URL(origin).host === host;
}
