import { answerParent } from '@/tools/harness/asked-process';
import { type Report, runBuyers } from './run-buyers';
import { findStrategy } from './strategies';
import type { Contestant, Stores } from './types';

/** The organiser asks a racing process to prepare for a strategy, then to race. */
export type Order = { strategy: string; stores: Stores } | { userIds: string[]; concurrency: number };

/** The strategy at work in this process, the lab's stand-in for a web process. */
let contestant: Contestant | undefined;

async function leave(): Promise<void> {
  const left = contestant;
  contestant = undefined;
  await left?.tearDown();
}

async function obey(order: Order): Promise<Report | null> {
  if ('stores' in order) {
    contestant = findStrategy(order.strategy).create(order.stores);
    await contestant.connect();
    return null;
  }
  if (!contestant) throw new Error('a race without a strategy');
  const report = await runBuyers(contestant, order.userIds, order.concurrency);
  await leave();
  return report;
}

answerParent((order: Order) =>
  obey(order).catch(async (error: unknown) => {
    // If closing fails, it fails for the same reason, so we don't report it.
    await leave().catch(() => {});
    throw error;
  }),
);
