import type { Order, Word } from './messages';
import { runBuyers } from './run-buyers';
import { findStrategy } from './strategies';
import type { Contestant } from './types';

/**
 * A racing process, the lab's stand-in for a web process. On orders from the organiser it prepares for a strategy,
 * then races. Ends when the organiser does.
 */
let contestant: Contestant | undefined;

const say = (word: Word) => process.send?.(word);

async function obey(order: Order): Promise<void> {
  if (order.type === 'line_up') {
    contestant = findStrategy(order.strategy).create(order.stores);
    await contestant.connect();
    say({ type: 'ready' });
    return;
  }
  if (!contestant) throw new Error('go before line_up');
  const report = await runBuyers(contestant, order.userIds, order.concurrency);
  await contestant.tearDown();
  contestant = undefined;
  say({ type: 'finished', report });
}

process.on('message', (order: Order) => {
  obey(order).catch(async (error: unknown) => {
    // If closing fails, it fails for the same reason, so we don't report it.
    await contestant?.tearDown().catch(() => {});
    contestant = undefined;
    say({ type: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  });
});
process.on('disconnect', () => process.exit());
