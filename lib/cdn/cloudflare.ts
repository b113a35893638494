import { type CdnAccount, type CdnHeaders, inParts, type PurgeAdapter, retryAfterMs } from './adapter';

const API = 'https://api.cloudflare.com/client/v4';
/** "Max operations per request", in every plan (developers.cloudflare.com/cache/how-to/purge-cache, 2026). */
const TAGS_AT_ONCE = 100;

/** Purging by tag, `POST /zones/{zone_id}/purge_cache`: the token needs "Cache Purge" for the zone. */
export const cloudflarePurge = ({ zone, token, apiUrl = API }: CdnAccount): PurgeAdapter => ({
  requests: ({ tags }) =>
    inParts(tags, TAGS_AT_ONCE).map((some) => ({
      url: `${apiUrl}/zones/${zone}/purge_cache`,
      headers: { authorization: `Bearer ${token}` },
      body: { tags: some },
    })),
  refusalIn(body) {
    const { success, errors } = readAnswer(body);
    if (success === true) return null;
    return `refused, code ${errors?.[0]?.code ?? 'unknown'}`;
  },
  // Five requests a minute in the free plan; the bucket says with `Retry-After` when it has another.
  waitMsOf: retryAfterMs,
});

type Answer = { success?: unknown; errors?: { code?: number }[] };

function readAnswer(body: string): Answer {
  try {
    return (JSON.parse(body) ?? {}) as Answer;
  } catch {
    return {};
  }
}

/** `Cache-Tag` and `CDN-Cache-Control` (RFC 9213). Cloudflare keeps JSON only where a cache rule says so. */
export const CLOUDFLARE_HEADERS: CdnHeaders = {
  tags: (tags) => ({ 'cache-tag': tags.join(',') }),
  keptFor: (seconds) => ({ 'cdn-cache-control': `max-age=${seconds}` }),
};
