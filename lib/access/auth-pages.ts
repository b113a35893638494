import 'server-only';
import { pageAddress } from '@/i18n/page-address';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { env } from '@/lib/env';
import { internalPath } from '@/lib/http/internal-path';
import { readCookie } from '@/lib/http/read-cookie';
import { formLocale, formPage, homeOr, leadTo } from './lead-to';

/** Leads to our sign-in page where NextAuth would show a page of its own. What went wrong is said only in our own words. */
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

/**
 * Leads on after a sign-in without a script: to the wanted page or, if the browser sent no cookie back, to a page
 * that explains it.
 */
export function answerSignedIn(request: Request): Response {
  const { searchParams } = new URL(request.url);
  const locale = formLocale(searchParams.get('locale'));
  const path = homeOr(searchParams.get('to'), locale);
  const isIn = readCookie(request.headers.get('cookie'), sessionCookieName()) !== undefined;
  return leadTo(isIn ? path : formPage('/signin', 'cookies', { locale, callbackUrl: path }));
}
