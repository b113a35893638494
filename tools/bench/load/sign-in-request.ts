/**
 * Builds the complete bytes of a sign-in as a page of ours sends it.
 * @param n the person's number: it makes their address, as a proxy of ours tells it (`TRUST_PROXY=1`)
 */
export function signInRequest(email: string, password: string, n: number, cookie = ''): string {
  const body = JSON.stringify({ email, password, locale: 'en' });
  const address = `100.${64 + ((n >> 16) & 63)}.${(n >> 8) & 255}.${n & 255}`;
  return `POST /api/auth/callback/credentials HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nX-Forwarded-For: ${address}\r\n${cookie ? `Cookie: ${cookie}\r\n` : ''}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
