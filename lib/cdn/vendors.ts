import type { CdnAccount, CdnHeaders, CdnVendor, PurgeAdapter } from './adapter';
import { CLOUDFLARE_HEADERS, cloudflarePurge } from './cloudflare';
import { FASTLY_HEADERS, fastlyPurge } from './fastly';
import { ownHook } from './own-hook';

const PURGES: Record<CdnVendor, (account: CdnAccount) => PurgeAdapter> = {
  cloudflare: cloudflarePurge,
  fastly: fastlyPurge,
};
const HEADERS: Record<CdnVendor, CdnHeaders> = { cloudflare: CLOUDFLARE_HEADERS, fastly: FASTLY_HEADERS };

type Settings = { cdn: (CdnAccount & { vendor: CdnVendor }) | null; cdnPurgeUrl?: string };

/** Returns how to purge the CDN that the settings name; null: they name none. */
export function purgeAdapter({ cdn, cdnPurgeUrl }: Settings): PurgeAdapter | null {
  if (cdn) return PURGES[cdn.vendor](cdn);
  return cdnPurgeUrl === undefined ? null : ownHook(cdnPurgeUrl);
}

/** Returns the headers that name what an answer shows. None without a vendor, or where nothing is to be named. */
export const tagHeaders = (vendor: CdnVendor | undefined, tags: readonly string[]): Record<string, string> =>
  vendor === undefined || tags.length === 0 ? {} : HEADERS[vendor].tags(tags);

/** Returns the headers that let the CDN alone keep an answer for so many seconds. */
export const keptForHeaders = (vendor: CdnVendor | undefined, seconds: number): Record<string, string> =>
  vendor === undefined ? {} : HEADERS[vendor].keptFor(seconds);
