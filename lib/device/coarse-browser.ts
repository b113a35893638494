import { createHash } from 'node:crypto';

/** Most particular first: nearly every browser also claims to be Chrome or Safari. */
const FAMILIES: readonly (readonly [string, RegExp])[] = [
  ['edge', /\bEdgA?(?:iOS)?\//],
  ['opera', /\bOPR\/|\bOpera\b/],
  ['samsung', /\bSamsungBrowser\//],
  ['firefox', /\bFirefox\/|\bFxiOS\//],
  ['chrome', /\b(?:Headless)?Chrome\/|\bCriOS\//],
  ['safari', /\bSafari\//],
];
const PLATFORMS: readonly (readonly [string, RegExp])[] = [
  ['ios', /iPhone|iPad|iPod|\biOS\b/],
  ['android', /Android/],
  ['windows', /Windows/],
  ['mac', /mac ?OS|Macintosh/i],
  ['chromeos', /CrOS|Chrome OS|Chromium OS/],
  ['linux', /Linux/],
];
const HASH_LENGTH = 8;
/** Longer headers are no browser's. */
const LONGEST = 1_000;

/**
 * What kind of browser sends these headers, as 8 characters: family, platform and language, no version or model. An update
 * changes nothing; a cookie carried off to another kind of browser shows.
 */
export function coarseBrowser(headers: Headers): string {
  const read = (name: string) => (headers.get(name) ?? '').slice(0, LONGEST);
  const agent = read('user-agent');
  const [language = ''] = read('accept-language').trim().toLowerCase().split(/[-,;]/, 1);
  const traits = [
    kindOf(agent, FAMILIES),
    // Says "Android" also where the user agent pretends to be a desktop.
    kindOf(read('sec-ch-ua-platform') || agent, PLATFORMS),
    language,
  ];
  return createHash('sha256').update(traits.join('|')).digest('base64url').slice(0, HASH_LENGTH);
}

const kindOf = (text: string, kinds: typeof FAMILIES): string =>
  kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
