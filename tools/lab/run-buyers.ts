import pLimit from 'p-limit';
import type { Answer, Contestant } from './types';

/** One process's report about a race. */
export type Report = {
  answers: Record<Answer, number>;
  latenciesMs: number[];
  /** Lowest stock counter that any of its buyers saw; null if the strategy doesn't show it. */
  lowestStock: number | null;
  /** Epoch ms with fractions, so that processes of one machine can be compared. */
  startedAt: number;
  endedAt: number;
};

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
