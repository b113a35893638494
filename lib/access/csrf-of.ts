import 'server-only';
import { csrfCookieName, mintCsrf } from '@/lib/account/call-next-auth';
import { readCookie } from '@/lib/http/read-cookie';
import { isSameOrigin } from '@/lib/http/same-origin';

/**
 * The CSRF token and its cookie that NextAuth is shown: a fresh pair for a request that by its headers comes from our own
 * pages, which are static and can't hold one; else what the client brought along, right or wrong.
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
