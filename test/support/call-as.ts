import { claimsOf, sessionCookieName, signSession } from '@/lib/account/sessions/session-token';
import { startSession } from '@/lib/account/sessions/start-session';
import { db } from '@/lib/db/client';

type Handler = (request: Request, context: never) => Promise<Response> | Response;

export type Call = {
  method?: string;
  /** The values for the brackets in the path. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  /** False: the call comes from another site's page. */
  isSameOrigin?: boolean;
};

/** Returns a session cookie as signing in makes it, for calls now and later. */
export async function sessionOf(userId: string): Promise<string> {
  const user = await db().user.findUniqueOrThrow({ where: { id: userId } });
  const sessionId = await startSession(user);
  return signSession(claimsOf(user, sessionId));
}

const cookies = (...pairs: (string | undefined)[]) => pairs.filter(Boolean).join('; ');

/** Calls a route's handler with a session. @param session from `sessionOf`; null: signed out */
export async function callWith(session: string | null, handler: Handler, call: Call = {}): Promise<Response> {
  const { method = 'GET', params = {}, query = {}, body, headers = {}, isSameOrigin = true } = call;
  const request = new Request(`http://shop.test/?${new URLSearchParams(query)}`, {
    method,
    headers: {
      ...headers,
      'sec-fetch-site': isSameOrigin ? 'same-origin' : 'cross-site',
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...(session === null ? {} : { cookie: cookies(headers.cookie, `${sessionCookieName()}=${session}`) }),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  });
  return handler(request, { params: Promise.resolve(params) } as never);
}
