import 'server-only';
import { pageAddress } from '@/i18n/page-address';
import { currentUser } from '@/lib/account/current-user';
import { env } from '@/lib/env';
import { isOutage } from '@/lib/errors/is-outage';
import type { FormNotice } from '@/lib/http/form-notices';
import { internalPath } from '@/lib/http/internal-path';
import { problem } from '@/lib/http/problem';
import { withCookies } from '@/lib/http/with-cookies';
import type { OpenIdProvider } from '@/lib/open-id/create-provider';
import { openIdProvider } from '@/lib/open-id/open-id-provider';
import type { Identity } from '@/lib/open-id/types';
import { leadOn } from './answer-sign-in';
import { beginOpenId } from './begin-open-id';
import type { Caller } from './caller';
import { enterByIdentity } from './enter-by-identity';
import { type FinishOpenIdResult, finishOpenId } from './finish-open-id';
import { joinIdentity } from './join-identity';
import { askAgain, formLocale, homeOr, leadTo, type Wanted } from './lead-to';
import { letIn, openSession } from './let-in';
import { forgetFlow, type OpenIdFlow, readFlow } from './open-id-flow';
import { writeStep } from './step-cookie';

/**
 * Sends a browser to the server that signs people in. Only from our own pages, or from nowhere: another site shall not
 * sign its visitors in here.
 */
export async function answerOpenIdBegin(
  request: Request,
  provider: OpenIdProvider | null = openIdProvider(),
): Promise<Response> {
  if (!provider) return problem('NOT_FOUND');
  const { searchParams } = new URL(request.url);
  const origin = new URL(env().publicUrl).origin;
  const wanted: Wanted = {
    locale: formLocale(searchParams.get('locale')),
    callbackUrl: internalPath(searchParams.get('callbackUrl'), origin),
  };
  if (request.headers.get('sec-fetch-site') === 'cross-site')
    return leadTo(pageAddress('/signin', wanted.locale));
  const begun = await beginOpenId(provider, wanted);
  if (begun.status === 'away') return askAgain('/signin', 'provider_away', wanted);
  return withCookies(leadTo(begun.address), [begun.setCookie]);
}

/**
 * Answers a browser that comes back from that server: signs in, asks for the second factor, joins the sign-in to an
 * account, or says on the sign-in page why not.
 * @param address the client's address, if known
 */
export async function answerOpenIdCallback(
  request: Request,
  address: string | null,
  provider: OpenIdProvider | null = openIdProvider(),
): Promise<Response> {
  if (!provider) return problem('NOT_FOUND');
  const { searchParams } = new URL(request.url);
  const answer = {
    state: searchParams.get('state'),
    code: searchParams.get('code'),
    error: searchParams.get('error'),
    iss: searchParams.get('iss'),
  };
  const caller = { address, headers: request.headers };
  const flow = readFlow(request.headers.get('cookie'));
  const wanted: Wanted = { locale: flow?.locale ?? formLocale(null), callbackUrl: flow?.callbackUrl ?? null };
  try {
    const finished = await finishOpenId(provider, flow, answer, caller);
    // Somebody else's answer doesn't end what this browser has begun.
    if (finished.status === 'over') return leadBack(finished, wanted, flow);
    const response =
      finished.status === 'proved' && flow
        ? await go(finished.identity, flow, caller)
        : leadBack(finished, wanted, flow);
    return withCookies(response, [forgetFlow()]);
  } catch (error) {
    if (!isOutage(error)) throw error;
    return askAgain('/signin', 'busy', wanted);
  }
}

async function go(identity: Identity, flow: OpenIdFlow, caller: Caller): Promise<Response> {
  const { locale, callbackUrl, link } = flow;
  const wanted = { locale, callbackUrl };
  if (link) {
    const { status } = await joinIdentity(identity, link, await currentUser(caller.headers));
    return leadToAccount(status, wanted);
  }
  const entered = await enterByIdentity(identity, locale, caller);
  switch (entered.status) {
    case 'in':
      return letIn(homeOr(callbackUrl, locale), locale, await openSession(entered.user, caller));
    case 'second_step':
      return withCookies(leadOn(wanted, true), [writeStep(entered.user)]);
    case 'limited':
      return askAgain('/signin', 'wait', wanted, entered.waitMs);
    default:
      return askAgain('/signin', `provider_${entered.status}`, wanted);
  }
}

function leadBack(
  { status, ...rest }: Exclude<FinishOpenIdResult, { status: 'proved' }> | FinishOpenIdResult,
  wanted: Wanted,
  flow: OpenIdFlow | null,
): Response {
  if (flow?.link) return leadToAccount(status, wanted);
  if (status === 'limited') return askAgain('/signin', 'wait', wanted, (rest as { waitMs: number }).waitMs);
  return askAgain('/signin', `provider_${status}` as FormNotice, wanted);
}

/** The page of the own account says what became of a joining. */
const leadToAccount = (outcome: string, { locale }: Wanted): Response =>
  leadTo(`${pageAddress('/account', locale)}?${new URLSearchParams({ joining: outcome })}#sign-ins`);
