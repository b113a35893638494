import 'server-only';
import { LRUCache } from 'lru-cache';
import { listTag } from '@/lib/cdn/tags';
import { env } from '@/lib/env';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { LIST_HEADERS, STALE_MS } from './answer-sales';
import { edgeHeaders } from './edge-headers';
import { FRESH_MS, followedSales, lookAtSales } from './follow-sales';
import { cacheControlHoldsMs, cacheControlUntil } from './state-cache-control';

const MAX_CAMPAIGNS = 256;

type Kept = { reply: Reply; version: number; from: number; until: number };
const kept = new LRUCache<string, Kept>({ max: MAX_CAMPAIGNS });

/**
 * Answers with a campaign and its sales from this process's memory, as fresh as the list of sales, however many wait for
 * its next session.
 * @returns 404 if no published sale belongs to it; 503 while the list is more than 10 s old.
 */
export async function answerCampaign(slug: string): Promise<Reply> {
  if (followedSales().ageMs > FRESH_MS) await lookAtSales();
  const { list, now, ageMs } = followedSales();
  if (ageMs > STALE_MS) return problemReply('UNAVAILABLE');
  const known = kept.get(slug);
  if (known && known.version === list.version() && now >= known.from && now < known.until) return known.reply;
  const found = list.campaign(slug, now);
  if (!found) return problemReply('CAMPAIGN_NOT_FOUND');
  const changesInMs = found.until - now;
  const headers = edgeHeaders(LIST_HEADERS[cacheControlUntil(changesInMs)], env().cdn?.vendor, listTag());
  const reply = { status: 200, headers, body: found.body };
  kept.set(slug, {
    reply,
    version: list.version(),
    from: now,
    until: now + cacheControlHoldsMs(changesInMs),
  });
  return reply;
}
