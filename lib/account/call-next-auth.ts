import 'server-only';
import type { NextApiRequest, NextApiResponse } from 'next';
import NextAuth, { type NextAuthOptions, type User as NextAuthUser } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import { env } from '@/lib/env';
import { hostCookie } from '@/lib/host-cookie';
import { log } from '@/lib/http/log';
import { type Claims, OPENID_COOKIES, openIdProvider } from './identities/openid-provider';
import { LONGEST_SESSION_SEC } from './sessions/lifetimes';
import { sessionCookieName } from './sessions/session-token';

/** In our own bundle Node loads these packages: what Next takes for their default is one level deeper there. */
const defaultOf = <T>(given: T): T => (given as { default?: T }).default ?? given;

/** The actions we ask NextAuth for; its other actions can't be reached. */
export type NextAuthAction =
  | 'csrf'
  | 'providers'
  | 'signout'
  | 'callback/credentials'
  | 'signin/openid'
  | 'callback/openid';
const POSTED: readonly NextAuthAction[] = ['signout', 'callback/credentials', 'signin/openid'];

type NextAuthAnswer = {
  status: number;
  /** The body of the answer, as JSON. */
  body: unknown;
  setCookies: string[];
};

export const { name: csrfCookieName } = hostCookie('next-auth.csrf-token');

/** The names of the cookies of a sign-in by OpenID Connect. */
export const openIdCookieNames = (): string[] => Object.values(OPENID_COOKIES).map(({ name }) => name());

/**
 * Has NextAuth perform an action. From the request it passes on only strings that the caller has checked. NextAuth
 * keeps the protocol of its clients (CSRF tokens, the session's cookie); it reads no body, redirects nowhere and
 * shows no page.
 * @param given `cookies`: by name, ours only; `csrfToken`: as the client sent it; `authorize`: called once the token
 *   is found right; the user it returns is signed in; `query`: of the answer that a browser brings from the sign-in
 *   server; `identify`: gets the claims if that answer is right. NextAuth begins no session by it.
 */
export async function callNextAuth(
  action: NextAuthAction,
  given: {
    cookies?: Record<string, string>;
    csrfToken?: string;
    authorize?: Authorize;
    query?: Record<string, string>;
    identify?: Identify;
  } = {},
): Promise<NextAuthAnswer> {
  const {
    csrfToken = '',
    cookies = {},
    authorize = async () => null,
    query = {},
    identify = () => {},
  } = given;
  const request = {
    method: POSTED.includes(action) ? 'POST' : 'GET',
    query: { ...query, nextauth: action.split('/') },
    cookies,
    headers: {},
    // Asks as NextAuth's own client does, so that it answers with JSON and not a redirect.
    body: { csrfToken, json: 'true' },
  };
  const answer: NextAuthAnswer = { status: 200, body: null, setCookies: [] };
  await defaultOf(NextAuth)(
    request as unknown as NextApiRequest,
    recorderOf(answer),
    optionsWith(authorize, identify),
  );
  return answer;
}

/** Makes a CSRF token and its cookie for a request that has shown in another way that it comes from our own pages. */
export async function mintCsrf(): Promise<{ csrfToken: string; cookies: Record<string, string> }> {
  const { body, setCookies } = await callNextAuth('csrf');
  const name = csrfCookieName();
  const cookie = setCookies.find((each) => each.startsWith(`${name}=`)) ?? '';
  const value = decodeURIComponent(cookie.slice(name.length + 1).split(';', 1)[0] ?? '');
  return { csrfToken: (body as { csrfToken: string }).csrfToken, cookies: { [name]: value } };
}

type Authorize = () => Promise<NextAuthUser | null>;
type Identify = (claims: Claims) => void;

function optionsWith(authorize: Authorize, identify: Identify): NextAuthOptions {
  const { openId, isHttps } = env();
  const cookie = (name: string) => ({
    name,
    options: { httpOnly: true, sameSite: 'lax' as const, path: '/', secure: isHttps },
  });
  const { state, nonce, pkceCodeVerifier } = OPENID_COOKIES;
  return {
    secret: env().nextAuthSecrets[0],
    session: { strategy: 'jwt', maxAge: LONGEST_SESSION_SEC },
    cookies: {
      sessionToken: cookie(sessionCookieName()),
      csrfToken: cookie(csrfCookieName()),
      state: cookie(state.name()),
      nonce: cookie(nonce.name()),
      pkceCodeVerifier: cookie(pkceCodeVerifier.name()),
    },
    providers: [
      defaultOf(CredentialsProvider)({
        credentials: { email: {}, password: {} },
        authorize: () => authorize(),
      }),
      ...(openId ? [openIdProvider(openId)] : []),
    ],
    callbacks: {
      jwt: ({ token, user }) => (user ? { ...token, ...user } : token),
      signIn({ account, profile }) {
        if (account?.type !== 'oauth') return true;
        identify(profile as Claims);
        // Second factors, bans and sessions are ours to judge.
        return false;
      },
    },
    logger: {
      error: (code, told) =>
        log.warn({ code, why: reasonOf(told) }, 'next-auth could not do what it was asked'),
      warn: () => {},
      debug: () => {},
    },
  };
}

/** Returns the sentence of an error, which holds no code and no token; its other fields may. */
function reasonOf(told: unknown): string | undefined {
  const error = told instanceof Error ? told : (told as { error?: unknown } | undefined)?.error;
  return error instanceof Error ? error.message.slice(0, 200) : undefined;
}

/** NextAuth also sets a cookie with the page to go to after sign-in; no code here reads it. */
const isOurs = (cookie: string) =>
  [sessionCookieName(), csrfCookieName(), ...openIdCookieNames()].some((name) => cookie.startsWith(name));

/** Records NextAuth's answer; has as much of a response as NextAuth uses. */
function recorderOf(answer: NextAuthAnswer): NextApiResponse {
  const recorder = {
    status(code: number) {
      answer.status = code;
      return recorder;
    },
    getHeader: (name: string) => (name.toLowerCase() === 'set-cookie' ? answer.setCookies : undefined),
    setHeader(name: string, value: string | string[]) {
      if (name.toLowerCase() === 'set-cookie') answer.setCookies = [value].flat().filter(isOurs);
      return recorder;
    },
    json(body: unknown) {
      answer.body = body;
    },
    send(body: unknown) {
      answer.body = body;
    },
    end() {},
  };
  return recorder as unknown as NextApiResponse;
}
