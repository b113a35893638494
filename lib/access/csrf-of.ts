import 'server-only';
import { csrfCookieName, mintCsrf } from '@/lib/account/call-next-auth';
import { readCookie } from '@/lib/http/read-cookie';
import { isSameOrigin } from '@/lib/http/same-origin';

/**
 * Returns the CSRF token and cookie to show to NextAuth. If the headers say the request comes from our own pages,
 * makes a fresh pair: those pages are static and can't hold a token. Otherwise returns what the client sent, right or
 * wrong.
 */
export async function csrfOf(
  request: Request,
  csrfToken = '',
): Promise<{ csrfToken: string; cookies: Record<string, string> }> {
  if (isSameOrigin(request)) return mintCsrf();
  const name = csrfCookieName();
  const cookie = readCookie(request.headers.get('cookie'), name);
  return { csrfToken, cookies: cookie === undefined ? {} : { [name]: cookie } };
}
