import pLimit from 'p-limit';
import type { Report } from './messages';
import type { Contestant } from './types';

const now = () => performance.timeOrigin + performance.now();

/**
 * Runs the buyers in the order given, `concurrency` at a time; the next one starts when one has an answer. A buyer's
 * latency runs from the start to the answer, including waits for connections and locks.
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
