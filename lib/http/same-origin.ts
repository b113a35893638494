/**
 * Tells whether a cookie-authenticated mutation comes from our own pages (OWASP: verify the origin with standard
 * headers). Compares `Origin` with the host the request was sent to. Without `Origin`, accepts
 * only `Sec-Fetch-Site: same-origin`.
 */
export function isSameOrigin(request: Request): boolean {
  const origin = request.headers.get('origin');
  if (origin === null) return request.headers.get('sec-fetch-site') === 'same-origin';
  const host = request.headers.get('host');
  return host !== null && URL.canParse(origin) && new URL(origin).host === host;
}
