import 'server-only';
import { z } from 'zod';
import { passkeyAnswer } from '@/lib/contract/shapes/passkey';
import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { isSameOrigin } from '@/lib/http/same-origin';
import { signInFields, tellIn } from './answer-sign-in';
import { askAnyPasskey } from './ask-passkey';
import { describeWait } from './describe-wait';
import { homeOr, wantedBy } from './lead-to';
import { forgetChallenge } from './passkey-cookie';
import { signInWithPasskey } from './sign-in-with-passkey';
import { forgetStep } from './step-cookie';
import { trySignIn } from './try-sign-in';

const passkeySchema = z.object({ ...signInFields, passkey: passkeyAnswer });

/** Answers a page that asks for the question for a passkey. Only our own pages may ask: it replaces an earlier one. */
export function answerPasskeyQuestion(request: Request): Response {
  if (!isSameOrigin(request)) return problem('CSRF');
  const { question, setCookie } = askAnyPasskey();
  return json(question, { headers: { 'set-cookie': setCookie } });
}

/**
 * Answers a sign-in by passkey, as `answerSignIn` answers one by password; always with JSON, because passkeys need a
 * script. It may also take the place of the second step.
 * @param address the client's address, if known
 */
export async function answerPasskey(request: Request, address: string | null): Promise<Response> {
  const body = await readJson(request, passkeySchema);
  if (!body.ok) return body.response;
  const given = body.data;
  const { callbackUrl, locale } = wantedBy(request, given);
  const caller = { address, headers: request.headers };
  const { result, failure, setCookies } = await trySignIn(request, given.csrfToken, () =>
    signInWithPasskey(given, caller),
  );
  if (failure) throw failure;
  switch (result?.status) {
    case undefined:
      return problem('CSRF');
    case 'wrong':
      return problem('PASSKEY_WRONG');
    case 'limited':
      return problem('RATE_LIMITED', describeWait('passkey', result.waitMs));
    case 'signed_in':
      return tellIn(homeOr(callbackUrl, locale), [
        ...setCookies,
        ...result.setCookies,
        forgetChallenge(),
        forgetStep(),
      ]);
  }
}
