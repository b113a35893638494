import 'server-only';
import { z } from 'zod';
import { pageAddress } from '@/i18n/page-address';
import { currentUser } from '@/lib/account/current-user';
import type { Identity } from '@/lib/account/identities/read-identity';
import { env } from '@/lib/env';
import { isOutage } from '@/lib/errors/is-outage';
import type { FormNotice } from '@/lib/http/form-notices';
import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { isSameOrigin } from '@/lib/http/same-origin';
import { withCookies } from '@/lib/http/with-cookies';
import { keys } from '@/lib/redis/keys';
import { claimTry, settleTry, unlessThrown } from '@/lib/tries/claim-try';
import { hashSubject } from '@/lib/tries/hash-subject';
import { leadOn, signInFields } from './answer-sign-in';
import { beginOpenId, findIdentity } from './ask-openid';
import { type Caller, countedOf } from './caller';
import { claimRequest } from './claim-request';
import { enterByIdentity } from './enter-by-identity';
import { joinIdentity } from './join-identity';
import { formLocale, homeOr, leadBackToForm, leadTo, wantedBy } from './lead-to';
import { beginSessionByCookie, letIn } from './let-in';
import { type BegunSignIn, forgetSignIn, readSignIn } from './openid-cookie';
import { writeStep } from './step-cookie';

const beginSchema = z.object(signInFields);
/** The server's answer to a sign-in; other parameters are ignored. */
const ANSWER = ['code', 'state', 'iss', 'error'];
/** Longer than any sign-in may take, so that each state is good once. */
const KEPT_MS = 20 * 60_000;

/** Begins a sign-in by OpenID Connect. Only our own pages may ask: it replaces an earlier one of the same browser. */
export async function answerOpenIdBegin(request: Request): Promise<Response> {
  if (!env().openId) return problem('NOT_FOUND');
  if (!isSameOrigin(request)) return problem('CSRF');
  const body = await readJson(request, beginSchema);
  if (!body.ok) return body.response;
  const begun = await beginOpenId({ ...wantedBy(request, body.data), joinedBy: null });
  if (begun.status === 'away') return problem('SIGN_IN_SERVER_AWAY');
  return withCookies(json({ url: begun.url }), begun.setCookies);
}

/**
 * Answers a browser that comes back from the sign-in server: signs in, asks for the second factor, joins the server to an
 * account, or says on a page of ours why not.
 * @param address the client's address, if known
 */
export async function answerOpenIdCallback(request: Request, address: string | null): Promise<Response> {
  if (!env().openId) return problem('NOT_FOUND');
  const { searchParams } = new URL(request.url);
  const query = Object.fromEntries([...searchParams].filter(([name]) => ANSWER.includes(name)));
  const begun = readSignIn(request.headers.get('cookie'), query.state ?? '');
  // Another sign-in's answer does not end what this browser has begun.
  if (!begun) return leadBackToForm('/signin', 'over', { locale: formLocale(null), callbackUrl: null });
  try {
    const caller = { address, headers: request.headers };
    const result = await finish(query, caller);
    const response =
      result.status === 'proved' ? await goOn(result.identity, begun, caller) : leadBack(result, begun);
    return withCookies(response, [forgetSignIn()]);
  } catch (error) {
    if (!isOutage(error)) throw error;
    return leadBackToForm('/signin', 'busy', begun);
  }
}

type Refused =
  /** It was finished before. */
  | { status: 'over' }
  /** The person said no there. */
  | { status: 'cancelled' }
  /** The answer does not hold, or the server does not answer. */
  | { status: 'failed' }
  /** Too many answers from this address did not hold. */
  | { status: 'limited'; waitMs: number };

/** Learns who has signed in. An answer counts once; one that does not hold costs its address growing waits. */
async function finish(
  query: Record<string, string>,
  caller: Caller,
): Promise<{ status: 'proved'; identity: Identity } | Refused> {
  if (query.error === 'access_denied') return { status: 'cancelled' };
  const claimed = await claimRequest('sign-in-server', countedOf(caller));
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  if (!(await isFirst(query.state ?? ''))) return { status: 'over' };
  const identity = await unlessThrown(claimed.claim, findIdentity(query, caller.headers.get('cookie')));
  if (!identity) return { status: 'failed' };
  await settleTry(claimed.claim, 'void');
  return { status: 'proved', identity };
}

async function isFirst(state: string): Promise<boolean> {
  const key = keys.tries('sign-in-server', 'state', hashSubject(state));
  const waits = { baseMs: KEPT_MS, maxMs: KEPT_MS, keepMs: KEPT_MS };
  return (await claimTry([{ key, kind: 'ahead', free: 1, ...waits }])).status === 'go';
}

async function goOn(identity: Identity, begun: BegunSignIn, caller: Caller): Promise<Response> {
  const { locale, callbackUrl, joinedBy } = begun;
  if (joinedBy !== null) {
    const { status } = await joinIdentity(identity, joinedBy, await currentUser(caller.headers));
    return leadToAccount(status, begun);
  }
  const entered = await enterByIdentity(identity, locale, caller);
  switch (entered.status) {
    case 'in':
      return letIn(homeOr(callbackUrl, locale), locale, await beginSessionByCookie(entered.user, caller));
    case 'second_step':
      return withCookies(leadOn(begun, true), [writeStep(entered.user)]);
    case 'limited':
      return leadBackToForm('/signin', 'wait', begun, entered.waitMs);
    default:
      return leadBackToForm('/signin', `server_${entered.status}`, begun);
  }
}

function leadBack(refused: Refused, begun: BegunSignIn): Response {
  if (begun.joinedBy !== null) return leadToAccount(refused.status, begun);
  const notices = { over: 'over', failed: 'server_failed', cancelled: null, limited: 'wait' } as const;
  const notice: FormNotice | null = notices[refused.status];
  if (notice === null) return leadTo(pageAddress('/signin', begun.locale));
  return leadBackToForm('/signin', notice, begun, 'waitMs' in refused ? refused.waitMs : undefined);
}

/** The page for signing in, of the account, says what became of joining. */
const leadToAccount = (joining: string, { locale }: BegunSignIn): Response =>
  leadTo(`${pageAddress('/account/sign-in', locale)}?${new URLSearchParams({ joining })}#identities`);
