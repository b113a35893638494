import { pageAddress } from '@/i18n/page-address';
import { type Locale, routing } from '@/i18n/routing';
import { language } from '@/lib/contract/shapes/account';
import { env } from '@/lib/env';
import { type FormNotice, noticeAnchor } from '@/lib/http/form-notices';
import { internalPath } from '@/lib/http/internal-path';

/** Redirects a browser to a path of ours, as the answer to a form. */
export const leadTo = (path: string, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: 303, headers: { location: path, 'cache-control': 'no-store', ...headers } });

/** Returns the language that a form names for its page; the default one if we don't know it. */
export const formLocale = (given: unknown): Locale => language.safeParse(given).data ?? routing.defaultLocale;

/** Returns the page of this site that a link names; `/` in the page's language if it names none. */
export const homeOr = (candidate: unknown, locale: Locale): string =>
  internalPath(candidate, new URL(env().publicUrl).origin) ?? pageAddress('/', locale);

/** The context of a form: the language of its page, and where its visitor wanted to go. */
export type Wanted = { locale: Locale; callbackUrl: string | null };

type FormPage = '/signin' | '/register' | '/second-step';

/**
 * Returns the address of the page with the form, with the notice to show: behind `?` for the page's script, behind
 * `#` for browsers without one.
 * @param waitMs how long to wait before the next try
 */
export function formPage(
  page: FormPage,
  notice: FormNotice,
  { locale, callbackUrl }: Wanted,
  waitMs?: number,
): string {
  const query = new URLSearchParams({ notice });
  if (waitMs !== undefined) query.set('wait', String(Math.ceil(waitMs / 1_000)));
  if (callbackUrl) query.set('callbackUrl', callbackUrl);
  return `${pageAddress(page, locale)}?${query}#${noticeAnchor(notice, waitMs)}`;
}

/** Leads the browser to `formPage`. */
export function leadBackToForm(
  page: FormPage,
  notice: FormNotice,
  wanted: Wanted,
  waitMs?: number,
): Response {
  const headers: Record<string, string> =
    waitMs === undefined ? {} : { 'retry-after': String(Math.ceil(waitMs / 1_000)) };
  return leadTo(formPage(page, notice, wanted, waitMs), headers);
}

/**
 * Reads what the page that sent a form wants. A static page can't hold where its visitor wants to go, but its address
 * can.
 */
export function wantedBy(request: Request, given: { locale?: unknown; callbackUrl?: unknown }): Wanted {
  const origin = new URL(env().publicUrl).origin;
  const referer = request.headers.get('referer') ?? '';
  const asked = URL.canParse(referer) ? new URL(referer).searchParams.get('callbackUrl') : null;
  return { locale: formLocale(given.locale), callbackUrl: internalPath(given.callbackUrl ?? asked, origin) };
}
