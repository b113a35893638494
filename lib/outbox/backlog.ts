import 'server-only';
import { LRUCache } from 'lru-cache';
import { env } from '@/lib/env';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { stocksAt } from '@/lib/slice/numbers/slices-of';

/** How old the answer may be. A sale of 30,000 purchases a second exceeds the cap by as many. */
const LOOK_EVERY_MS = 1_000;
const MAX_SALES = 1_000;

type Look = { isFull: boolean; askedAt: number };

const looks = new LRUCache<string, Look>({ max: MAX_SALES });

/**
 * Tells whether so many purchases of a sale wait for the executor that no more should be accepted:
 * `SECKILL_BACKLOG_CAP`. Answers from memory; asks Redis at most once a second and never waits for it. While Redis
 * gives no answer the last one holds.
 */
export function isBacklogged(saleId: string): boolean {
  const now = performance.now();
  let look = looks.get(saleId);
  if (!look) {
    look = { isFull: false, askedAt: Number.NEGATIVE_INFINITY };
    looks.set(saleId, look);
  }
  if (now - look.askedAt >= LOOK_EVERY_MS) {
    look.askedAt = now;
    void ask(saleId, look);
  }
  return look.isFull;
}

async function ask(saleId: string, look: Look): Promise<void> {
  try {
    const depths = (await stocksAt(saleId)).map((stockId) => stockRedis().xlen(keys.outbox(stockId)));
    look.isFull = (await Promise.all(depths)).reduce((sum, depth) => sum + depth, 0) >= env().backlogCap;
  } catch {
    // The next purchase asks the same Redis and reports the error.
  }
}
