import 'server-only';
import { LRUCache } from 'lru-cache';
import { MAX_LISTED } from '@/lib/sale/records/list-rows';
import { FRESH_MS, followedSales } from './follow-sales';

const SALE_PAGE = '/sales/[slug]';
const CAMPAIGN_PAGE = '/campaigns/[slug]';
/** Longer than a sale takes from the admin area to the list. */
const EXPECTED_MS = 10_000;
const MAX_EXPECTED = 5_000;
const SLUG = /\/(?:sales|campaigns)\/([^/]+)$/;

const expected = new LRUCache<string, true>({ max: MAX_EXPECTED, ttl: EXPECTED_MS });
let allExpectedUntil = 0;

/**
 * Tells whether there may be a page by this name. False for a sale that is certainly not in the list, and for a campaign
 * that none of the list belongs to, so that
 * invented addresses cost neither rendering nor Postgres. True while the list is older than 1.5 s, or too long to
 * hold all sales.
 * @param page the route as it was built, e.g. `/sales/[slug]`; true for every page except a sale's or a campaign's.
 */
export function mayHavePage(page: string, name: string): boolean {
  if (page !== SALE_PAGE && page !== CAMPAIGN_PAGE) return true;
  const { list, ageMs } = followedSales();
  const isKnown = page === SALE_PAGE ? list.idOf(name) !== undefined : list.hasCampaign(name);
  if (isKnown || ageMs > FRESH_MS || list.size() >= MAX_LISTED) return true;
  return expected.has(name) || performance.now() < allExpectedUntil;
}

/**
 * Notes that pages were built again, before the client that changed them gets its answer: such a page may exist
 * although the list doesn't have it yet. @param paths left out: any page may exist.
 */
export function expectPages(paths?: readonly string[]): void {
  if (!paths) allExpectedUntil = performance.now() + EXPECTED_MS;
  for (const path of paths ?? []) {
    const slug = SLUG.exec(path)?.[1];
    if (slug !== undefined) expected.set(slug, true);
  }
}
