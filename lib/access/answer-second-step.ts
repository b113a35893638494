import 'server-only';
import { z } from 'zod';
import { callNextAuth } from '@/lib/account/call-next-auth';
import { claimsOf } from '@/lib/account/sessions/session-token';
import { passkeyAnswer } from '@/lib/contract/shapes/passkey';
import { isOutage } from '@/lib/errors/is-outage';
import { problem } from '@/lib/http/problem';
import { readForm } from '@/lib/http/read-form';
import { isSameOrigin } from '@/lib/http/same-origin';
import { withCookies } from '@/lib/http/with-cookies';
import { tellIn } from './answer-sign-in';
import { csrfOf } from './csrf-of';
import { describeWait } from './describe-wait';
import { type FinishResult, finishSignIn } from './finish-sign-in';
import { askAgain, homeOr, type Wanted, wantedBy } from './lead-to';
import { letIn } from './let-in';
import { forgetChallenge } from './passkey-cookie';
import { forgetStep } from './step-cookie';

const text = (max: number) => z.string().max(max).optional();

/** A code that no account can have counts as wrong; so does none. A passkey answers in place of a code. */
const stepSchema = z.object({
  code: z.string().max(200).default(''),
  passkey: passkeyAnswer.optional(),
  locale: text(20),
  csrfToken: text(200),
  callbackUrl: text(2_000),
});

type Refused = Exclude<FinishResult, { status: 'signed_in' }>;

/**
 * Answers the second step of a sign-in, as `answerSignIn` does the first. The request must come from our own pages or
 * bring NextAuth's CSRF token.
 * @param address the client's address, if known
 */
export async function answerSecondStep(request: Request, address: string | null): Promise<Response> {
  const form = await readForm(request, stepSchema, false);
  if (!form.ok && !(form.isPage && isSameOrigin(request))) return form.response;
  if (!form.ok) return askAgain('/second-step', 'code', wantedBy(request, form.given));
  const { data: given, isPage } = form;
  const proof = given.passkey ? { passkey: given.passkey } : { code: given.code };
  const wanted = wantedBy(request, given);
  const tried: { result?: FinishResult; failure?: unknown } = {};
  const { setCookies } = await callNextAuth('callback/credentials', {
    ...(await csrfOf(request, given.csrfToken)),
    authorize: async () => {
      try {
        tried.result = await finishSignIn(proof, { address, headers: request.headers });
      } catch (error) {
        // NextAuth would put the error's text into a URL.
        tried.failure = error;
      }
      if (tried.result?.status !== 'signed_in') return null;
      const { user, sessionId } = tried.result;
      return { id: user.id, ...claimsOf(user, sessionId) };
    },
  });
  if (tried.failure && isPage && isOutage(tried.failure)) return askAgain('/second-step', 'busy', wanted);
  if (tried.failure) throw tried.failure;
  if (!tried.result) return problem('CSRF');
  if (tried.result.status !== 'signed_in')
    return isPage ? leadBack(tried.result, wanted) : refuse(tried.result, given.passkey !== undefined);
  const path = homeOr(wanted.callbackUrl, wanted.locale);
  const cookies = [...setCookies, ...tried.result.setCookies, forgetStep(), forgetChallenge()];
  return isPage ? letIn(path, wanted.locale, cookies) : tellIn(path, cookies);
}

function leadBack(refused: Refused, wanted: Wanted): Response {
  switch (refused.status) {
    case 'wrong':
      return askAgain('/second-step', 'code', wanted);
    case 'over':
      return withCookies(askAgain('/signin', 'over', wanted), [forgetStep()]);
    case 'limited':
      return askAgain('/second-step', 'wait', wanted, refused.waitMs);
  }
}

function refuse(refused: Refused, isPasskey: boolean): Response {
  switch (refused.status) {
    case 'wrong':
      return problem(isPasskey ? 'PASSKEY_WRONG' : 'FACTOR_CODE_WRONG');
    case 'over':
      return problem('SECOND_STEP_OVER');
    case 'limited':
      return problem('RATE_LIMITED', describeWait('second-step', refused.waitMs));
  }
}
