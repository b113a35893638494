import 'server-only';
import { z } from 'zod';
import { callNextAuth } from '@/lib/account/call-next-auth';
import { claimsOf } from '@/lib/account/sessions/session-token';
import { passkeyAnswer } from '@/lib/contract/shapes/passkey';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { isSameOrigin } from '@/lib/http/same-origin';
import { withCookies } from '@/lib/http/with-cookies';
import { tellIn } from './answer-sign-in';
import { type AskedPasskey, askAnyPasskey, askSecondStep } from './ask-passkey';
import { csrfOf } from './csrf-of';
import { describeWait } from './describe-wait';
import { homeOr, wantedBy } from './lead-to';
import { forgetChallenge } from './passkey-cookie';
import { type PasskeySignIn, signInWithPasskey } from './sign-in-with-passkey';

const text = (max: number) => z.string().max(max).optional();

const passkeySchema = z.object({
  passkey: passkeyAnswer,
  locale: text(20),
  csrfToken: text(200),
  callbackUrl: text(2_000),
});

/** Asks for a passkey that signs in alone, or, after the password, for one of that account. Only our own pages may ask. */
export async function answerPasskeyQuestion(
  request: Request,
  use: 'sign-in' | 'second-step',
): Promise<Response> {
  if (!isSameOrigin(request)) return problem('CSRF');
  if (use === 'sign-in') return tellQuestion(askAnyPasskey());
  const asked = await askSecondStep(request.headers.get('cookie'));
  if (asked.status === 'over') return problem('SECOND_STEP_OVER');
  return asked.status === 'no_passkey' ? problem('PASSKEY_NOT_FOUND') : tellQuestion(asked);
}

const tellQuestion = ({ question, setCookie }: AskedPasskey): Response =>
  withCookies(Response.json(question, { headers: { 'cache-control': 'no-store' } }), [setCookie]);

/**
 * Answers a sign-in by passkey, as `answerSignIn` does one by password; always with JSON, because passkeys need a script.
 * @param address the client's address, if known
 */
export async function answerPasskey(request: Request, address: string | null): Promise<Response> {
  const body = await readJson(request, passkeySchema);
  if (!body.ok) return body.response;
  const given = body.data;
  const wanted = wantedBy(request, given);
  const tried: { result?: PasskeySignIn; failure?: unknown } = {};
  const { setCookies } = await callNextAuth('callback/credentials', {
    ...(await csrfOf(request, given.csrfToken)),
    authorize: async () => {
      try {
        tried.result = await signInWithPasskey(given, { address, headers: request.headers });
      } catch (error) {
        // NextAuth would put the error's text into a URL.
        tried.failure = error;
      }
      if (tried.result?.status !== 'signed_in') return null;
      const { user, sessionId } = tried.result;
      return { id: user.id, ...claimsOf(user, sessionId) };
    },
  });
  if (tried.failure) throw tried.failure;
  const { result } = tried;
  switch (result?.status) {
    case undefined:
      return problem('CSRF');
    case 'wrong':
      return problem('PASSKEY_WRONG');
    case 'limited':
      return problem('RATE_LIMITED', describeWait('passkey', result.waitMs));
    case 'signed_in': {
      const path = homeOr(wanted.callbackUrl, wanted.locale);
      return tellIn(path, [...setCookies, ...result.setCookies, forgetChallenge()]);
    }
  }
}
