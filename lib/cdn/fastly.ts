import { type CdnAccount, type CdnHeaders, inParts, type PurgeAdapter, retryAfterMs } from './adapter';

const API = 'https://api.fastly.com';
/** "Up to 256 surrogate keys can be purged in one batch request" (Fastly's API reference, Purging). */
const KEYS_AT_ONCE = 256;
const RESET = 'fastly-ratelimit-reset';

/**
 * Purging by key, `POST /service/{service_id}/purge`: the token needs `purge_select` for the service. Not softly: a
 * soft purge may be followed by the old answer.
 */
export const fastlyPurge = ({ zone, token, apiUrl = API }: CdnAccount): PurgeAdapter => ({
  requests: ({ tags }) =>
    inParts(tags, KEYS_AT_ONCE).map((some) => ({
      url: `${apiUrl}/service/${zone}/purge`,
      headers: { 'fastly-key': token },
      body: { surrogate_keys: some },
    })),
  refusalIn: () => null,
  /** Fastly names the moment at which the present hour of its limit ends, in epoch seconds. */
  waitMsOf(headers, now) {
    const reset = headers.get(RESET) ?? '';
    return (
      retryAfterMs(headers) ?? (/^\d{9,11}$/.test(reset) ? Math.max(0, Number(reset) * 1_000 - now) : null)
    );
  },
});

/** `Surrogate-Key` and `Surrogate-Control`; Fastly removes both before a browser sees them. */
export const FASTLY_HEADERS: CdnHeaders = {
  tags: (tags) => ({ 'surrogate-key': tags.join(' ') }),
  keptFor: (seconds) => ({ 'surrogate-control': `max-age=${seconds}` }),
};
