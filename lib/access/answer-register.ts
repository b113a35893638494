import 'server-only';
import { registration } from '@/lib/contract/shapes/account';
import { db } from '@/lib/db/client';
import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import { readForm } from '@/lib/http/read-form';
import { isSameOrigin } from '@/lib/http/same-origin';
import { withCookies } from '@/lib/http/with-cookies';
import { describeComeBack, describeWait } from './describe-wait';
import { homeOr, leadBackToForm, wantedBy } from './lead-to';
import { beginSessionByCookie, letIn } from './let-in';
import { type RegisterResult, registerAccount } from './register-account';
import { writeTurn } from './turn-cookie';

/** Answers a registration. A script gets JSON; a form sent without a script gets the page to go to. */
export async function answerRegister(request: Request, address: string | null): Promise<Response> {
  const form = await readForm(request, registration);
  // Otherwise a form on another site could register that site's visitors here.
  if (form.isForm && !isSameOrigin(request)) return problem('CSRF');
  const wanted = wantedBy(request, form.ok ? form.data : form.given);
  if (!form.ok) return form.isPage ? leadBackToForm('/register', 'invalid', wanted) : form.response;
  const caller = { address, headers: request.headers };
  const result = await registerAccount(form.data, caller);
  const turn = result.status === 'busy' ? [writeTurn(form.data.email, result.comeBack.since)] : [];
  if (!form.isPage) return withCookies(answerScript(result), turn);
  if (result.status !== 'registered') {
    const waitMs = result.status === 'limited' ? result.waitMs : undefined;
    return withCookies(leadBackToForm('/register', NOTICES[result.status], wanted, waitMs), turn);
  }
  const user = await db().user.findUniqueOrThrow({ where: { id: result.userId } });
  return letIn(
    homeOr(wanted.callbackUrl, wanted.locale),
    wanted.locale,
    await beginSessionByCookie(user, caller),
  );
}

function answerScript(result: RegisterResult): Response {
  switch (result.status) {
    case 'registered':
      return json({ userId: result.userId }, { status: 201 });
    case 'email_taken':
      return problem('EMAIL_TAKEN');
    case 'guessable':
      return problem('PASSWORD_GUESSABLE');
    case 'limited':
      return problem('RATE_LIMITED', describeWait('registration', result.waitMs));
    case 'busy':
      return problem('UNAVAILABLE', describeComeBack('registration', result.comeBack));
  }
}

const NOTICES = { email_taken: 'taken', guessable: 'guessable', limited: 'wait', busy: 'busy' } as const;
