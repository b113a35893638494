import 'server-only';
import { z } from 'zod';
import { pageAddress } from '@/i18n/page-address';
import { env } from '@/lib/env';
import { isOutage } from '@/lib/errors/is-outage';
import { problem } from '@/lib/http/problem';
import { readForm } from '@/lib/http/read-form';
import { isSameOrigin } from '@/lib/http/same-origin';
import { withCookies } from '@/lib/http/with-cookies';
import { describeComeBack, describeWait } from './describe-wait';
import { formPage, homeOr, leadBackToForm, leadTo, type Wanted, wantedBy } from './lead-to';
import { letIn } from './let-in';
import { type SignInResult, signIn } from './sign-in';
import { writeStep } from './step-cookie';
import { trySignIn } from './try-sign-in';
import { writeTurn } from './turn-cookie';

const text = (max: number) => z.string().max(max).optional();

/** The fields that NextAuth's clients and our own forms send at each step; others are ignored. */
export const signInFields = { locale: text(20), csrfToken: text(200), callbackUrl: text(2_000) };

/** An address or password that no account can have counts as wrong. */
const signInSchema = z.object({ ...signInFields, email: z.string(), password: z.string() });

type Refused = Exclude<SignInResult, { status: 'signed_in' | 'second_step' }>;

/**
 * Answers a sign-in. NextAuth's clients get JSON as from NextAuth; a form sent without a script gets the page to go
 * to. The request must come from our own pages or bring NextAuth's CSRF token.
 * @param address the client's address, if known
 */
export async function answerSignIn(request: Request, address: string | null): Promise<Response> {
  const form = await readForm(request, signInSchema, false);
  if (!form.ok && !(form.isPage && isSameOrigin(request))) return form.response;
  if (!form.ok) return leadBackToForm('/signin', 'invalid', wantedBy(request, form.given));
  const { data: given, isPage } = form;
  const wanted = wantedBy(request, given);
  const caller = { address, headers: request.headers };
  const { result, failure, setCookies } = await trySignIn(request, given.csrfToken, () =>
    signIn(given, caller),
  );
  if (failure && isPage && isOutage(failure)) return leadBackToForm('/signin', 'busy', wanted);
  if (failure) throw failure;
  if (!result) return problem('CSRF');
  if (result.status === 'second_step') return withCookies(leadOn(wanted, isPage), [writeStep(result.user)]);
  if (result.status !== 'signed_in') {
    const refused = isPage ? leadBack(result, wanted) : refuse(result, wanted);
    return withCookies(refused, turnOf(result, given.email));
  }
  const path = homeOr(wanted.callbackUrl, wanted.locale);
  const cookies = [...setCookies, ...result.setCookies];
  return isPage ? letIn(path, wanted.locale, cookies) : tellIn(path, cookies);
}

/** Tells a client's script that it is signed in. */
export const tellIn = (path: string, setCookies: readonly string[]): Response =>
  withCookies(
    Response.json({ url: addressOf(path) }, { headers: { 'cache-control': 'no-store' } }),
    setCookies,
  );

/** Leads to the question for the second factor. NextAuth's own client reads a refusal out of the address. */
export function leadOn({ locale, callbackUrl }: Wanted, isPage: boolean): Response {
  const query = new URLSearchParams(callbackUrl ? { callbackUrl } : {});
  const page = pageAddress('/second-step', locale);
  if (isPage) return leadTo(query.size > 0 ? `${page}?${query}` : page);
  query.set('error', 'CredentialsSignin');
  return problem('SECOND_FACTOR_NEEDED', { extra: { url: addressOf(`${page}?${query}`) } });
}

const NOTICES = { wrong: 'wrong', limited: 'wait', busy: 'busy' } as const;

const leadBack = (refused: Refused, wanted: Wanted): Response =>
  leadBackToForm(
    '/signin',
    NOTICES[refused.status],
    wanted,
    'waitMs' in refused ? refused.waitMs : undefined,
  );

/** Answers with a `url`, because NextAuth's own client reads the refusal out of its query. */
function refuse(refused: Refused, wanted: Wanted): Response {
  const url = addressOf(formPage('/signin', NOTICES[refused.status], wanted));
  const extra = { url: `${url.split('#', 1)[0]}&error=CredentialsSignin` };
  switch (refused.status) {
    case 'wrong':
      return problem('CREDENTIALS_WRONG', { extra });
    case 'limited': {
      const described = describeWait('sign-in', refused.waitMs);
      return problem('RATE_LIMITED', { ...described, extra: { ...described.extra, ...extra } });
    }
    case 'busy': {
      const described = describeComeBack('sign-in', refused.comeBack);
      return problem('UNAVAILABLE', { ...described, extra: { ...described.extra, ...extra } });
    }
  }
}

/** Returns the cookie that keeps the place in the password queue until the next try. */
const turnOf = (refused: Refused, email: string): string[] =>
  refused.status === 'busy' ? [writeTurn(email.trim().toLowerCase(), refused.comeBack.since)] : [];

const addressOf = (path: string) => new URL(path, env().publicUrl).href;
