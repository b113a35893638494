import 'server-only';
import { bulkhead, TimeoutStrategy, timeout, wrap } from 'cockatiel';
import { callNextAuth, mintCsrf, openIdCookieNames } from '@/lib/account/call-next-auth';
import { type Identity, readIdentity } from '@/lib/account/identities/read-identity';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { readCookie } from '@/lib/http/read-cookie';
import { type BegunSignIn, writeSignIn } from './openid-cookie';

/** A visitor waits no longer for the sign-in server, ms. */
const WITHIN_MS = 10_000;
/** So many sign-ins of a process may wait for it. A slow one must not fill the process with requests. */
const MOST_AT_ONCE = 50;

const patience = wrap(timeout(WITHIN_MS, TimeoutStrategy.Aggressive), bulkhead(MOST_AT_ONCE));

type BeginResult =
  | { status: 'begun'; url: string; setCookies: string[] }
  /** The sign-in server does not answer, or not as it should. */
  | { status: 'away' };

/** Begins a sign-in by OpenID Connect, bound to the browser that gets the cookies. @returns where the browser goes */
export async function beginOpenId(begun: BegunSignIn): Promise<BeginResult> {
  const csrf = await mintCsrf();
  const answer = await orNull(patience.execute(() => callNextAuth('signin/openid', csrf)));
  const { url = '' } = (answer?.body ?? {}) as { url?: string };
  // If NextAuth could not begin, it names its own page for errors, without a state.
  const state = URL.canParse(url) ? new URL(url).searchParams.get('state') : null;
  if (!answer || state === null) return { status: 'away' };
  return { status: 'begun', url, setCookies: [...answer.setCookies, writeSignIn(state, begun)] };
}

/**
 * Asks the sign-in server for whom it vouches, by the answer that a browser brings from it.
 * @param cookies the `Cookie` header of that browser
 * @returns null: the answer does not hold, or the server does not answer
 */
export async function findIdentity(
  query: Record<string, string>,
  cookies: string | null,
): Promise<Identity | null> {
  const own = openIdCookieNames().flatMap((name) => {
    const value = readCookie(cookies, name);
    return value === undefined ? [] : [[name, value]];
  });
  let claims: unknown = null;
  const given = {
    query,
    cookies: Object.fromEntries(own),
    identify: (told: unknown) => {
      claims = told;
    },
  };
  const answer = await orNull(patience.execute(() => callNextAuth('callback/openid', given)));
  const issuer = env().openId?.issuer;
  return answer && issuer ? readIdentity(issuer, claims) : null;
}

const orNull = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((err: unknown) => {
    log.warn({ err }, 'the sign-in server was not asked, or not waited for');
    return null;
  });
