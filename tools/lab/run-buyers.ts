import pLimit from 'p-limit';
import type { Report } from './messages';
import type { Contestant } from './types';

const now = () => performance.timeOrigin + performance.now();

/**
 * Lets the buyers loose in the order given, `concurrency` at a time; the next one starts when one has an answer.
 * Latency is from a buyer's start to the answer, waiting for connections and locks included.
 */
export async function runBuyers(
  contestant: Contestant,
  userIds: string[],
  concurrency: number,
): Promise<Report> {
  const limit = pLimit(concurrency);
  const answers = { accepted: 0, sold_out: 0, busy: 0 };
  const latenciesMs: number[] = [];
  let lowestStock: number | null = null;
  const startedAt = now();
  await Promise.all(
    userIds.map((userId) =>
      limit(async () => {
        const since = performance.now();
        const { answer, stockAfter } = await contestant.attempt(userId);
        latenciesMs.push(performance.now() - since);
        answers[answer] += 1;
        if (stockAfter !== undefined) lowestStock = Math.min(lowestStock ?? stockAfter, stockAfter);
      }),
    ),
  );
  return { answers, latenciesMs, lowestStock, startedAt, endedAt: now() };
}
