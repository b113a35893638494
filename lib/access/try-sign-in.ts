import 'server-only';
import { callNextAuth } from '@/lib/account/call-next-auth';
import { claimsOf } from '@/lib/account/sessions/session-token';
import { csrfOf } from './csrf-of';
import type { BegunSession } from './sign-in';

type Tried<R> = {
  /** Undefined: the CSRF token was wrong, or `attempt` threw. */
  result?: R;
  failure?: unknown;
  /** The session's, if there is one. */
  setCookies: string[];
};

/**
 * Makes an attempt to sign in by way of NextAuth, which checks the CSRF token and makes the session's cookie.
 * @param csrfToken as the client sent it
 */
export async function trySignIn<R extends BegunSession | { status: string }>(
  request: Request,
  csrfToken: string | undefined,
  attempt: () => Promise<R | BegunSession>,
): Promise<Tried<R | BegunSession>> {
  const tried: Omit<Tried<R | BegunSession>, 'setCookies'> = {};
  const { setCookies } = await callNextAuth('callback/credentials', {
    ...(await csrfOf(request, csrfToken)),
    authorize: async () => {
      try {
        tried.result = await attempt();
      } catch (error) {
        // NextAuth would put the error's text into a URL.
        tried.failure = error;
      }
      if (!tried.result || !isWelcomed(tried.result)) return null;
      const { user, sessionId } = tried.result;
      return { id: user.id, ...claimsOf(user, sessionId) };
    },
  });
  return { ...tried, setCookies };
}

const isWelcomed = (result: BegunSession | { status: string }): result is BegunSession =>
  result.status === 'signed_in';
