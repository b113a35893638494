import { processWide } from '@/lib/process-wide';
import 'server-only';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stockRedis } from '@/lib/redis/client';
import { channels } from '@/lib/redis/keys';
import { type Subscription, subscribe } from '@/lib/redis/subscribe';

type Bus = {
  subscription?: Subscription;
  listeners: Map<string, Listener>;
  /** Announcements that leave at the end of this turn of the event loop, by sale. */
  leaving: Map<string, Promise<unknown>>;
};
type Listener = { onChange: (saleId: string) => void; onGap: () => void };

const bus = processWide('stock-changes', (): Bus => ({ listeners: new Map(), leaving: new Map() }));

/**
 * Tells every process that something other than a purchase changed the stock or settings of a sale, so that none goes
 * on answering from memory. This process forgets the sale at once, the others within milliseconds. Never fails: while
 * Redis is away, no kept stock gets older than 250 ms. Changes of the same moment share one announcement: when 500
 * orders are released, the other processes need not forget the sale 500 times.
 */
export async function announceChange(saleId: string): Promise<void> {
  for (const { onChange } of bus.listeners.values()) onChange(saleId);
  const { leaving } = bus;
  const told = leaving.get(saleId) ?? nextTurn().then(() => publish(saleId));
  leaving.set(saleId, told);
  await told;
}

async function publish(saleId: string): Promise<void> {
  // From here on a change needs an announcement of its own.
  bus.leaving.delete(saleId);
  await stockRedis()
    .publish(channels.stockChanged, saleId)
    .catch(() => 0);
}

/** Registers a listener that forgets a sale when it changes, one per `name`. Starts listening to the other processes. */
export function onStockChange(name: string, listener: Listener): void {
  bus.listeners.set(name, listener);
  bus.subscription ??= subscribe(channels.stockChanged, {
    onMessage: (saleId) => {
      for (const { onChange } of bus.listeners.values()) onChange(saleId);
    },
    onGap: () => {
      for (const { onGap } of bus.listeners.values()) onGap();
    },
  });
}

/** Tells whether changes made by other processes reach this one. */
export const hearsChanges = (): boolean => bus.subscription?.isListening() ?? false;
