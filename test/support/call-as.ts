import { encode } from 'next-auth/jwt';
import { sessionCookieName } from '@/lib/account/auth-options';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { withCookies } from './next-headers';

type Handler = (request: Request, context: never) => Promise<Response> | Response;

export type Call = {
  method?: string;
  /** With what the path's brackets stand for. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** False: from another site's page. */
  isSameOrigin?: boolean;
};

/** The cookie of a session as signing in makes it, for calls now and later. */
export async function sessionOf(userId: string): Promise<string> {
  const { role, level, sessionVersion: sv } = await db().user.findUniqueOrThrow({ where: { id: userId } });
  return encode({ token: { sub: userId, role, level, sv }, secret: env().nextAuthSecret });
}

/** Calls a route's handler as somebody. @param session from `sessionOf`; null: nobody is signed in */
export async function callWith(session: string | null, handler: Handler, call: Call = {}): Promise<Response> {
  const { method = 'GET', params = {}, query = {}, body, isSameOrigin = true } = call;
  const request = new Request(`http://shop.test/?${new URLSearchParams(query)}`, {
    method,
    headers: {
      'sec-fetch-site': isSameOrigin ? 'same-origin' : 'cross-site',
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  });
  const sent = new Map(session === null ? [] : [[sessionCookieName(), session]]);
  return withCookies(sent, async () => handler(request, { params: Promise.resolve(params) } as never));
}
