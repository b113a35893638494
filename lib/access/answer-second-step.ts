import 'server-only';
import { z } from 'zod';
import { isOutage } from '@/lib/errors/is-outage';
import { problem } from '@/lib/http/problem';
import { readForm } from '@/lib/http/read-form';
import { isSameOrigin } from '@/lib/http/same-origin';
import { withCookies } from '@/lib/http/with-cookies';
import { signInFields, tellIn } from './answer-sign-in';
import { describeWait } from './describe-wait';
import { type FinishResult, finishSignIn } from './finish-sign-in';
import { homeOr, leadBackToForm, type Wanted, wantedBy } from './lead-to';
import { letIn } from './let-in';
import { forgetStep } from './step-cookie';
import { trySignIn } from './try-sign-in';

/** A code that no account can have counts as wrong. */
const stepSchema = z.object({ ...signInFields, code: z.string() });

type Refused = Exclude<FinishResult, { status: 'signed_in' }>;

/**
 * Answers the second step of a sign-in, as `answerSignIn` answers the first: a script gets JSON, a form sent without a
 * script gets the page to go to. The request must come from our own pages or bring NextAuth's CSRF token.
 * @param address the client's address, if known
 */
export async function answerSecondStep(request: Request, address: string | null): Promise<Response> {
  const form = await readForm(request, stepSchema, false);
  if (!form.ok && !(form.isPage && isSameOrigin(request))) return form.response;
  if (!form.ok) return leadBackToForm('/second-step', 'code', wantedBy(request, form.given));
  const { data: given, isPage } = form;
  const wanted = wantedBy(request, given);
  const caller = { address, headers: request.headers };
  const { result, failure, setCookies } = await trySignIn(request, given.csrfToken, () =>
    finishSignIn(given, caller),
  );
  if (failure && isPage && isOutage(failure)) return leadBackToForm('/second-step', 'busy', wanted);
  if (failure) throw failure;
  if (!result) return problem('CSRF');
  if (result.status !== 'signed_in') return isPage ? leadBack(result, wanted) : refuse(result);
  const path = homeOr(wanted.callbackUrl, wanted.locale);
  const cookies = [...setCookies, ...result.setCookies, forgetStep()];
  return isPage ? letIn(path, wanted.locale, cookies) : tellIn(path, cookies);
}

function leadBack(refused: Refused, wanted: Wanted): Response {
  switch (refused.status) {
    case 'wrong':
      return leadBackToForm('/second-step', 'code', wanted);
    case 'over':
      return withCookies(leadBackToForm('/signin', 'over', wanted), [forgetStep()]);
    case 'limited':
      return leadBackToForm('/second-step', 'wait', wanted, refused.waitMs);
  }
}

function refuse(refused: Refused): Response {
  switch (refused.status) {
    case 'wrong':
      return problem('FACTOR_CODE_WRONG');
    case 'over':
      return withCookies(problem('SECOND_STEP_OVER'), [forgetStep()]);
    case 'limited':
      return problem('RATE_LIMITED', describeWait('second-step', refused.waitMs));
  }
}
