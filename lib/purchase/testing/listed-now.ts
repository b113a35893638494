import { setTimeout as delay } from 'node:timers/promises';
import type { LiveSale } from '@/lib/contract/shapes/sale';
import { answerSales } from '@/lib/sale/answer-sales';
import { lookAtSales } from '@/lib/sale/follow-sales';
import { publishSales } from '@/lib/sale/publish-sales';

type Answer = { sales: LiveSale[]; nextCursor: string | null };

/** For tests: publishes the list of sales as it is now, as a worker does, and makes this process read it. */
export async function publishNow(): Promise<void> {
  // The first try may find that the copy is gone with its Redis; the next makes another.
  for (let tries = 0; tries < 3 && !(await publishSales()); tries += 1);
  await lookAtSales();
  // A look that was under way may have been too early, so look again.
  await lookAtSales();
}

/**
 * For tests: publishes the list again and again, as a worker does.
 * @returns stops it; what is under way then needs its servers until the promise is fulfilled
 */
export function keepPublishing(everyMs = 300): () => Promise<void> {
  const stopped = new AbortController();
  const publishing = (async () => {
    while (!stopped.signal.aborted) {
      await publishNow();
      await delay(everyMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  })();
  return () => {
    stopped.abort();
    return publishing;
  };
}

/** For tests: returns a page of the list of sales as it is at this moment. */
export async function listedNow(query = 'limit=100'): Promise<Answer> {
  await publishNow();
  const { status, body } = await answerSales(query);
  if (status !== 200) throw new Error(body);
  return JSON.parse(body) as Answer;
}
