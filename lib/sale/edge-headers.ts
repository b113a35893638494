import { LRUCache } from 'lru-cache';
import type { CdnVendor } from '@/lib/cdn/adapter';
import { keptForHeaders, tagHeaders } from '@/lib/cdn/vendors';
import type { SaleState } from '@/lib/contract/shapes/sale';

/** How long a CDN that can be told to forget keeps the state of a sale that is not running. */
const KEPT_SEC = 10;
/**
 * Caches count in whole seconds, and a cache behind the CDN may have kept the answer for up to two (`deploy/nginx`):
 * what a CDN shows is younger than this.
 */
const OLDEST_MS = (KEPT_SEC + 1 + 2) * 1_000;
const MAX_KEPT = 10_000;

const made = new LRUCache<string, Record<string, string>>({ max: MAX_KEPT });

/**
 * Returns for how many seconds a CDN may keep a state instead of what `Cache-Control` says; null: not longer. A sale
 * that waits for its start, or is over, changes only by a merchant's hand, and then the CDN is told. Never across the
 * start.
 */
export const keptAtEdgeSec = ({
  status,
  serverTime,
  startsAt,
}: Pick<SaleState, 'status' | 'serverTime' | 'startsAt'>): number | null =>
  status === 'ended' || (status === 'scheduled' && startsAt - serverTime > OLDEST_MS) ? KEPT_SEC : null;

/**
 * Adds what a CDN wants to read. Replies of one kind go on sharing their headers object (`lib/server/wire.ts`).
 * @param vendor undefined: no CDN is told anything, and the headers stay as they are
 * @param keptSec null: as long as `Cache-Control` says
 */
export function edgeHeaders(
  headers: Record<string, string>,
  vendor: CdnVendor | undefined,
  tag: string,
  keptSec: number | null = null,
): Record<string, string> {
  const cacheControl = headers['cache-control'] ?? '';
  if (vendor === undefined || cacheControl === 'no-store') return headers;
  const key = `${vendor} ${tag} ${keptSec} ${headers.vary ?? ''} ${cacheControl}`;
  let full = made.get(key);
  if (!full) {
    full = {
      ...headers,
      ...tagHeaders(vendor, [tag]),
      ...(keptSec === null ? {} : keptForHeaders(vendor, keptSec)),
    };
    made.set(key, full);
  }
  return full;
}
