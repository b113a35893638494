import type { HeaderReader } from '@/lib/http/request-head';

/** Most specific first: nearly every browser also claims to be Chrome or Safari. */
const FAMILIES: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdgA?(?:iOS)?\//],
  ['Opera', /\bOPR\/|\bOpera\b/],
  ['Samsung', /\bSamsungBrowser\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\b(?:Headless)?Chrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
];
const PLATFORMS: readonly (readonly [string, RegExp])[] = [
  ['iOS', /iPhone|iPad|iPod|\biOS\b/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['Mac', /mac ?OS|Macintosh/i],
  ['ChromeOS', /CrOS|Chrome OS|Chromium OS/],
  ['Linux', /Linux/],
];
/** No browser sends longer headers. */
const LONGEST = 1_000;

/** The headers that tell the kind of browser. */
export const TELLING = ['user-agent', 'accept-language', 'sec-ch-ua-platform'] as const;

type BrowserKind = {
  /** Null: not one of the common browsers. */
  family: string | null;
  platform: string | null;
  /** Two or three small letters; empty if the headers name none. */
  language: string;
};

/** Tells what kind of browser sends these headers. Leaves out version and model, so that an update changes nothing. */
export function browserKind(headers: HeaderReader): BrowserKind {
  const read = (name: (typeof TELLING)[number]) => (headers.get(name) ?? '').slice(0, LONGEST);
  const agent = read('user-agent');
  const [language = ''] = read('accept-language').trim().toLowerCase().split(/[-,;]/, 1);
  return {
    family: kindOf(agent, FAMILIES),
    // This header says "Android" even if the user agent pretends to be a desktop.
    platform: kindOf(read('sec-ch-ua-platform') || agent, PLATFORMS),
    language,
  };
}

/**
 * Describes the kind in words that are the same in every language, such as `Firefox, Android`; empty if nothing is
 * known.
 */
export function describeBrowser(headers: HeaderReader): string {
  const { family, platform } = browserKind(headers);
  return [family, platform].filter(Boolean).join(', ');
}

const kindOf = (text: string, kinds: typeof FAMILIES): string | null =>
  kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
