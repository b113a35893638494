import 'server-only';
import { LRUCache } from 'lru-cache';
import { listTag } from '@/lib/cdn/tags';
import type { Page } from '@/lib/contract/shapes/common';
import { env } from '@/lib/env';
import { parsePage } from '@/lib/http/cursor';
import { problemReply } from '@/lib/http/problem';
import { fieldsReply, validationReply } from '@/lib/http/read-json';
import type { Reply } from '@/lib/http/reply';
import { zeroInQuery } from '@/lib/http/zero-in-query';
import { edgeHeaders } from './edge-headers';
import { FRESH_MS, followedSales, lookAtSales } from './follow-sales';
import { cacheControlHoldsMs, cacheControlUntil, SHORT_LIVED } from './state-cache-control';

/**
 * How old the list may be and still be shown. It grows old when no process publishes it, or when it could not be
 * read. After this, clients get a refusal rather than an old list.
 */
export const STALE_MS = 10_000;
/**
 * How many pages are kept. These are the pages that many clients ask for, first ones above all; the others are built
 * for each request.
 */
const MAX_PAGES = 256;

type Kept = { page: Page; reply: Reply; version: number; from: number; until: number };

/**
 * Adds `vary`, because the reply comes in several encodings. Replies of one kind share their headers object
 * (`lib/server/wire.ts`).
 */
const withVary = (headers: Record<string, string>) => ({ ...headers, vary: 'accept-encoding' });
export const LIST_HEADERS: typeof SHORT_LIVED = {
  'no-store': withVary(SHORT_LIVED['no-store']),
  'public, max-age=1': withVary(SHORT_LIVED['public, max-age=1']),
  'public, max-age=1, stale-if-error=5': withVary(SHORT_LIVED['public, max-age=1, stale-if-error=5']),
};

const kept = new LRUCache<string, Kept>({ max: MAX_PAGES });

/**
 * Answers with a page of the list of sales from this process's memory, at most about a second old. Equal requests get
 * the same reply record until something in the list changes.
 * @param query the part of the address after `?`: `cursor` and `limit`.
 * @returns 422 for nonsense; 503 while the list is more than 10 s old.
 */
export function answerSales(query: string): Reply | Promise<Reply> {
  return followedSales().ageMs > FRESH_MS ? lookFirst(query) : answerNow(query);
}

async function lookFirst(query: string): Promise<Reply> {
  const page = parse(query);
  if ('status' in page) return page;
  await lookAtSales();
  return followedSales().ageMs <= STALE_MS ? answerNow(query) : problemReply('UNAVAILABLE');
}

function answerNow(query: string): Reply {
  const { list, now } = followedSales();
  const known = kept.get(query);
  if (known && known.version === list.version() && now >= known.from && now < known.until) return known.reply;
  const page = known?.page ?? parse(query);
  if ('status' in page) return page;
  const { body, until } = list.page(page, now);
  const changesInMs = until - now;
  const headers = edgeHeaders(LIST_HEADERS[cacheControlUntil(changesInMs)], env().cdn?.vendor, listTag());
  const reply = { status: 200, headers, body };
  const holdsMs = cacheControlHoldsMs(changesInMs);
  kept.set(query, { page, reply, version: list.version(), from: now, until: now + holdsMs });
  return reply;
}

/** Reads the query. @returns the refusal if it does not name a page */
function parse(query: string): Page | Reply {
  const url = `http://shop/api/sales?${query}`;
  const zero = zeroInQuery(url);
  if (zero !== undefined) return fieldsReply([{ path: zero, message: 'has a zero byte' }]);
  const page = parsePage(url);
  return page.success ? page.data : validationReply(page.error);
}
