import { processWide } from '@/lib/process-wide';
import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { channels } from '@/lib/redis/keys';
import { type Subscription, subscribe } from '@/lib/redis/subscribe';

type Bus = { subscription?: Subscription; listeners: Map<string, Listener> };
type Listener = { onChange: (saleId: string) => void; onGap: () => void };

const bus = processWide('stock-changes', (): Bus => ({ listeners: new Map() }));

/**
 * Tells every process that something other than a purchase changed the stock or settings of a sale, so that none goes
 * on answering from memory. This process forgets the sale at once, the others within milliseconds. Never fails: while
 * Redis is away, no kept stock gets older than 250 ms.
 */
export async function announceChange(saleId: string): Promise<void> {
  for (const { onChange } of bus.listeners.values()) onChange(saleId);
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
