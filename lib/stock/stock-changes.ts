import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { channels } from '@/lib/redis/keys';
import { type Subscription, subscribe } from '@/lib/redis/subscribe';

type Bus = { subscription?: Subscription; listeners: Map<string, Listener> };
type Listener = { onChange: (saleId: string) => void; onGap: () => void };

// The web process holds this module twice (fast path and Next's bundle); what one of them changes both must learn.
const holder = globalThis as typeof globalThis & { seckillStockChanges?: Bus };

function bus(): Bus {
  holder.seckillStockChanges ??= { listeners: new Map() };
  return holder.seckillStockChanges;
}

/**
 * Tells every process that a sale's stock or settings changed other than by a purchase, so that none goes on answering
 * from memory. This process has forgotten when this returns, the others within milliseconds. Never fails: with Redis
 * away, nothing kept is older than 250 ms anyway.
 */
export async function announceChange(saleId: string): Promise<void> {
  for (const { onChange } of bus().listeners.values()) onChange(saleId);
  await stockRedis()
    .publish(channels.stockChanged, saleId)
    .catch(() => 0);
}

/** Registers what forgets a sale when it changed, once per `name`. Starts listening to the other processes. */
export function onStockChange(name: string, listener: Listener): void {
  const held = bus();
  held.listeners.set(name, listener);
  held.subscription ??= subscribe(channels.stockChanged, {
    onMessage: (saleId) => {
      for (const { onChange } of held.listeners.values()) onChange(saleId);
    },
    onGap: () => {
      for (const { onGap } of held.listeners.values()) onGap();
    },
  });
}

/** Whether changes made by other processes reach this one. */
export const hearsChanges = (): boolean => bus().subscription?.isListening() ?? false;
