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
 * Tells every process that something other than a purchase changed a sale's stock or settings. This process forgets its
 * copy at once, the others within milliseconds; without Redis no copy gets older than 250 ms. Never fails. Changes of
 * one moment share a message: 500 released orders are one.
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
