import 'server-only';
import type { IncomingMessage } from 'node:http';
import { readMessages } from '@/i18n/read-messages';
import { type Locale, routing } from '@/i18n/routing';
import { isForPrograms } from '@/lib/http/is-for-programs';
import type { Reply } from '@/lib/http/reply';
import { pathOf } from './site-map';

/** People come back after this long, s, and not all at once. */
const [AGAIN_AFTER_SEC, SPREAD_SEC] = [2, 4];
/** Nothing of it needs the shop, which may be away. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";
const STYLE =
  ':root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto 0;padding:0 1.5rem}h1{font-size:1.5rem}';

/**
 * Makes a page of a refusal that passes by itself, where somebody opens an address in a browser. It says what is so in the
 * language of the address, and comes again by itself. Programs, pages' own requests and other refusals keep the record.
 */
export function problemForReader(request: IncomingMessage, reply: Reply): Reply {
  const { method, url = '', headers } = request;
  const path = pathOf(url);
  const isOpened = (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true;
  const passes = reply.status === 429 || reply.status >= 500;
  if (!isOpened || !passes || isForPrograms(path)) return reply;
  const locale = localeOf(path);
  const { Errors, ErrorPage } = readMessages(locale);
  const said = reply.status === 429 ? Errors.RATE_LIMITED : ErrorPage.text;
  const sec = AGAIN_AFTER_SEC + Math.floor(Math.random() * SPREAD_SEC);
  const body = `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${sec}"><title>${ErrorPage.heading}</title><style>${STYLE}</style></head><body><main><h1>${ErrorPage.heading}</h1><p>${said}</p><p>${ErrorPage.again}</p></main></body></html>`;
  const more = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY };
  return { ...reply, headers: { ...reply.headers, ...more }, body };
}

const localeOf = (path: string): Locale =>
  routing.locales.find((locale) => path === `/${locale}` || path.startsWith(`/${locale}/`)) ??
  routing.defaultLocale;
