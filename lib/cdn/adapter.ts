/** A CDN whose interface the shop knows. */
export type CdnVendor = 'cloudflare' | 'fastly';

/** A shop's account at its CDN. */
export type CdnAccount = {
  /** The zone or service. */
  zone: string;
  /** A secret: in no log and no message. */
  token: string;
  /** The address of the interface, if not the public one. */
  apiUrl?: string;
};

/** A change, in the two forms that CDNs take. */
type Changed = {
  tags: readonly string[];
  /** The pages as shoppers request them: with language, without origin. */
  paths: readonly string[];
};

/** A POST of JSON. */
export type PurgeRequest = { url: string; headers: Record<string, string>; body: unknown };

/** Makes the requests that let a CDN forget what changed, each within its limits, and reads what it answers. */
export type PurgeAdapter = {
  requests: (changed: Changed) => PurgeRequest[];
  /** Returns why an answer of 2xx means that nothing was purged after all; null: it was. */
  refusalIn: (body: string) => string | null;
  /** Returns how long a 429 asks to wait, in ms; null if it does not say. @param now epoch ms */
  waitMsOf: (headers: Headers, now: number) => number | null;
};

/** The headers that a CDN reads in the answers it keeps. */
export type CdnHeaders = {
  /** Names what an answer shows, for purging it. */
  tags: (tags: readonly string[]) => Record<string, string>;
  /** Lets the CDN alone keep an answer for so many seconds, instead of what `Cache-Control` says. */
  keptFor: (seconds: number) => Record<string, string>;
};

/** Cuts a list into parts of at most `size`. */
export function inParts<T>(list: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < list.length; at += size) parts.push(list.slice(at, at + size));
  return parts;
}

/** Reads `Retry-After` in seconds, the form in which both vendors send it. */
export function retryAfterMs(headers: Headers): number | null {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : null;
}
