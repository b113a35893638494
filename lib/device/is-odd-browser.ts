import type { HeaderReader } from '@/lib/http/request-head';
import { browserKind } from './browser-kind';

/** Names that browsers which a program drives give themselves. */
const DRIVEN = /Headless|PhantomJS|Electron|Puppeteer|Playwright|Selenium/i;
const LONGEST = 1_000;

/**
 * Tells whether no browser that people use sends such headers: an unknown program, one that says it is driven, or one that
 * names no language. A hint: any program can send what it likes.
 */
export function isOddBrowser(headers: HeaderReader): boolean {
  const { family, language } = browserKind(headers);
  return (
    family === null || language === '' || DRIVEN.test((headers.get('user-agent') ?? '').slice(0, LONGEST))
  );
}
