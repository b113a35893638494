import 'server-only';
import { pageAddress } from '@/i18n/page-address';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { env } from '@/lib/env';
import { internalPath } from '@/lib/http/internal-path';
import { readCookie } from '@/lib/http/read-cookie';
import { formLocale, formPage, homeOr, leadTo } from './lead-to';

/** Where NextAuth would show pages of its own: our sign-in page. What went wrong is not said in anybody's words but ours. */
export function leadToSignIn(request: Request): Response {
  const { searchParams } = new URL(request.url);
  const locale = formLocale(searchParams.get('locale'));
  const origin = new URL(env().publicUrl).origin;
  const callbackUrl = internalPath(searchParams.get('callbackUrl'), origin);
  if (searchParams.get('error') === 'CredentialsSignin')
    return leadTo(formPage('/signin', 'wrong', { locale, callbackUrl }));
  const query = callbackUrl ? `?${new URLSearchParams({ callbackUrl })}` : '';
  return leadTo(`${pageAddress('/signin', locale)}${query}`);
}

/** After signing in without script: on to the page that was wanted or, where no cookie came back, to the words about that. */
export function answerSignedIn(request: Request): Response {
  const { searchParams } = new URL(request.url);
  const locale = formLocale(searchParams.get('locale'));
  const path = homeOr(searchParams.get('to'), locale);
  const isIn = readCookie(request.headers.get('cookie'), sessionCookieName()) !== undefined;
  return leadTo(isIn ? path : formPage('/signin', 'cookies', { locale, callbackUrl: path }));
}
