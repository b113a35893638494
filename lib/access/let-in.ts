import 'server-only';
import type { Locale } from '@/i18n/routing';
import { callNextAuth, mintCsrf } from '@/lib/account/call-next-auth';
import { claimsOf } from '@/lib/account/sessions/session-token';
import { withCookies } from '@/lib/http/with-cookies';
import type { User } from '@/prisma/generated/client';
import type { Caller } from './caller';
import { leadTo } from './lead-to';
import { beginSession } from './sign-in';

/**
 * Begins a session where no sign-in of NextAuth's is under way: after a registration, or by the sign-in server.
 * @returns the cookies to set
 */
export async function beginSessionByCookie(user: User, caller: Caller): Promise<string[]> {
  const { sessionId, setCookies } = await beginSession(user, caller);
  const answer = await callNextAuth('callback/credentials', {
    ...(await mintCsrf()),
    authorize: async () => ({ id: user.id, ...claimsOf(user, sessionId) }),
  });
  return [...answer.setCookies, ...setCookies];
}

/**
 * Leads a browser without a script to a page and sets its cookies. Goes by way of a path that checks whether the
 * browser keeps them.
 */
export function letIn(path: string, locale: Locale, setCookies: readonly string[]): Response {
  return withCookies(leadTo(`/api/auth/signed-in?${new URLSearchParams({ locale, to: path })}`), setCookies);
}
