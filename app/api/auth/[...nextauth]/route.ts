import { answerOpenIdBegin, answerOpenIdCallback } from '@/lib/access/answer-openid';
import { answerPasskey, answerPasskeyQuestion } from '@/lib/access/answer-passkey';
import { answerSecondStep } from '@/lib/access/answer-second-step';
import { answerSession } from '@/lib/access/answer-session';
import { answerSignIn } from '@/lib/access/answer-sign-in';
import { answerSignOut } from '@/lib/access/answer-sign-out';
import { answerSignedIn, leadToSignIn } from '@/lib/access/auth-pages';
import { callNextAuth, csrfCookieName, type NextAuthAction } from '@/lib/account/call-next-auth';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readCookie } from '@/lib/http/read-cookie';
import { route } from '@/lib/http/route';
import { requestAddress } from '@/lib/server/client-header';

/** The part of NextAuth's protocol that we serve, and names of our own; every other name is a 404. */
const SERVED: Record<string, 'GET' | 'POST'> = {
  csrf: 'GET',
  providers: 'GET',
  session: 'GET',
  signin: 'GET',
  error: 'GET',
  'signed-in': 'GET',
  signout: 'POST',
  'callback/credentials': 'POST',
  'callback/second-step': 'POST',
  'callback/passkey': 'POST',
  passkey: 'POST',
  'signin/openid': 'POST',
  'callback/openid': 'GET',
};

type Path = { nextauth: string[] };

/** Answers 405 for a served name with the wrong method, 404 for every other name. */
function refuse(name: string): Response {
  const method = Object.hasOwn(SERVED, name) ? SERVED[name] : undefined;
  if (!method) return problem('NOT_FOUND');
  const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
  return problem('METHOD_NOT_ALLOWED', { headers: { allow } });
}

export const GET = route<Path>(async (request, { nextauth }) => {
  const name = nextauth.join('/');
  switch (name) {
    case 'session':
      return answerSession(request.headers);
    case 'csrf':
    case 'providers':
      return tell(request, name);
    case 'signin':
    case 'error':
      return leadToSignIn(request);
    case 'signed-in':
      return answerSignedIn(request);
    case 'callback/openid':
      return answerOpenIdCallback(request, requestAddress(request.headers));
    default:
      return refuse(name);
  }
});

export const POST = route<Path>(async (request, { nextauth }) => {
  const name = nextauth.join('/');
  switch (name) {
    case 'callback/credentials':
      return answerSignIn(request, requestAddress(request.headers));
    case 'callback/second-step':
      return answerSecondStep(request, requestAddress(request.headers));
    case 'passkey':
      return answerPasskeyQuestion(request);
    case 'callback/passkey':
      return answerPasskey(request, requestAddress(request.headers));
    case 'signin/openid':
      return answerOpenIdBegin(request);
    case 'signout':
      return answerSignOut(request);
    default:
      return refuse(name);
  }
});

async function tell(request: Request, action: NextAuthAction): Promise<Response> {
  const cookie = csrfCookieName();
  const csrf = readCookie(request.headers.get('cookie'), cookie);
  const { body, setCookies } = await callNextAuth(action, {
    cookies: csrf === undefined ? {} : { [cookie]: csrf },
  });
  const answer = Response.json(body, { headers: { 'cache-control': 'no-store' } });
  for (const each of setCookies) answer.headers.append('set-cookie', each);
  return answer;
}

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET', 'POST');
