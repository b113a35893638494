import 'server-only';
import { z } from 'zod';
import { callNextAuth } from '@/lib/account/call-next-auth';
import { readSessionToken, sessionCookieName } from '@/lib/account/sessions/session-token';
import { env } from '@/lib/env';
import { problem } from '@/lib/http/problem';
import { readCookie } from '@/lib/http/read-cookie';
import { readForm } from '@/lib/http/read-form';
import { csrfOf } from './csrf-of';
import { endSession } from './end-session';
import { formLocale, homeOr, leadTo } from './lead-to';

const signOutSchema = z.object({
  csrfToken: z.string().max(200).optional(),
  locale: z.string().max(20).optional(),
});

/**
 * Signs out: ends the session for everyone who has its cookie, and tells the browser to forget the cookie. If the end
 * can't be stored, the browser keeps the cookie and gets an error: without the cookie nobody could end the session
 * any more.
 */
export async function answerSignOut(request: Request): Promise<Response> {
  const form = await readForm(request, signOutSchema);
  if (!form.ok) return form.response;
  const csrf = await csrfOf(request, form.data.csrfToken);
  const name = sessionCookieName();
  const cookie = readCookie(request.headers.get('cookie'), name);
  const cookies = { ...csrf.cookies, ...(cookie === undefined ? {} : { [name]: cookie }) };
  const { body, setCookies } = await callNextAuth('signout', { csrfToken: csrf.csrfToken, cookies });
  // NextAuth redirects there if the request has no valid CSRF token.
  if (String((body as { url?: unknown })?.url).includes('csrf=true')) return problem('CSRF');
  const claims = await readSessionToken(cookie);
  if (claims) await endSession(claims.sub, claims.sid);
  const path = homeOr(null, formLocale(form.data.locale));
  const answer = form.isPage
    ? leadTo(path)
    : Response.json(
        { url: new URL(path, env().publicUrl).href },
        { headers: { 'cache-control': 'no-store' } },
      );
  for (const each of setCookies) answer.headers.append('set-cookie', each);
  return answer;
}
