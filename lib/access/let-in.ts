import 'server-only';
import type { Locale } from '@/i18n/routing';
import { callNextAuth, mintCsrf } from '@/lib/account/call-next-auth';
import { claimsOf } from '@/lib/account/sessions/session-token';
import type { User } from '@/prisma/generated/client';
import type { Caller } from './caller';
import { leadTo } from './lead-to';
import { welcome } from './sign-in';

/** Signs in somebody who has shown who they are otherwise than by a form of ours. @returns the cookies to set */
export async function openSession(user: User, caller: Caller): Promise<string[]> {
  const { sessionId, setCookies } = await welcome(user, caller);
  const answer = await callNextAuth('callback/credentials', {
    ...(await mintCsrf()),
    authorize: async () => ({ id: user.id, ...claimsOf(user, sessionId) }),
  });
  return [...answer.setCookies, ...setCookies];
}

/** Leads a browser without script to a page, with its cookies, by way of a look whether it keeps them. */
export function letIn(path: string, locale: Locale, setCookies: readonly string[]): Response {
  const answer = leadTo(`/api/auth/signed-in?${new URLSearchParams({ locale, to: path })}`);
  for (const cookie of setCookies) answer.headers.append('set-cookie', cookie);
  return answer;
}
