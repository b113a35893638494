import { processWide } from '@/lib/process-wide';
import 'server-only';
import { LRUCache } from 'lru-cache';
import type { Bought } from './bought';
import { readStock } from './read-stock';
import { onStockChange } from './stock-changes';
import { type Stock, UNLIMITED } from './types';

/** One read of Redis serves all callers within this time. */
const KEEP_MS = 100;
/** Older stock is of no use, not even for a remark. */
const PEEK_MS = 1_000;
const MAX_SALES = 10_000;

type Kept = { stock: Stock; readAt: number; isFromRedis: boolean };
type ReadStock = (saleId: string) => Promise<Stock | null>;
type Memory = { kept: LRUCache<string, Kept>; reading: Map<string, Promise<Stock | null>> };

const inProcess = processWide('recent-stock', (): { memory?: Memory } => ({}));

function memory(): Memory {
  if (inProcess.memory) return inProcess.memory;
  const made: Memory = { kept: new LRUCache({ max: MAX_SALES }), reading: new Map() };
  inProcess.memory = made;
  onStockChange('recent-stock', {
    onChange(saleId) {
      made.kept.delete(saleId);
      // A read under way may show the stock before the change, so the next call starts another.
      made.reading.delete(saleId);
    },
    onGap() {
      made.kept.clear();
      made.reading.clear();
    },
  });
  return made;
}

/**
 * Returns the stock of a sale as of at most 100 ms ago, with the current time: the Redis time of the reading plus the
 * time passed since, on a clock that never jumps. A process reads Redis at most once per 100 ms, for any number of
 * callers. It counts in its own purchases at once.
 * @param load reads the stock; always the same function for a sale. Default: from Redis.
 * @returns null if the sale isn't warm. @throws as `load`.
 */
export async function recentStock(saleId: string, load: ReadStock = readStock): Promise<Stock | null> {
  const { kept, reading } = memory();
  const known = kept.get(saleId);
  if (known) {
    const age = performance.now() - known.readAt;
    if (age < KEEP_MS) {
      return { ...known.stock, serverTime: Math.floor(known.stock.serverTime + age) };
    }
  }
  return reading.get(saleId) ?? read(saleId, load);
}

function read(saleId: string, load: ReadStock): Promise<Stock | null> {
  const { kept, reading } = memory();
  const promise: Promise<Stock | null> = load(saleId)
    .then((stock) => {
      if (stock && reading.get(saleId) === promise) {
        kept.set(saleId, { stock, readAt: performance.now(), isFromRedis: load === readStock });
      }
      return stock && { ...stock };
    })
    .finally(() => {
      if (reading.get(saleId) === promise) reading.delete(saleId);
    });
  reading.set(saleId, promise);
  return promise;
}

/**
 * Counts a purchase of this process into the kept stock, so that a shopper who has bought sees it. The count is
 * exact: purchases and readings share a connection, so a reading never includes a purchase that is answered after it.
 * That is true of Redis alone: stock from elsewhere stays as it was read.
 */
export function countPurchase(
  saleId: string,
  { quantity: units, variant = 0 }: Pick<Bought, 'quantity' | 'variant'>,
  acceptedAt: number,
): void {
  const known = inProcess.memory?.kept.get(saleId);
  if (!known?.isFromRedis) return;
  const { stock } = known;
  stock.held += units;
  if (stock.total === UNLIMITED) return;
  stock.available = Math.max(0, stock.available - units);
  const left = stock.variants?.[variant - 1];
  // Callers share the list that was there before.
  if (left !== undefined) stock.variants = stock.variants?.with(variant - 1, Math.max(0, left - units));
  if (stock.available === 0) stock.soldOutAt ??= acceptedAt;
}

/**
 * Returns the units left as of at most a second ago, from memory only; null if this process doesn't know. Only for
 * remarks beside an answer, never for the answer itself.
 */
export function peekAvailable(saleId: string): number | null {
  const known = inProcess.memory?.kept.peek(saleId);
  return known && performance.now() - known.readAt < PEEK_MS ? known.stock.available : null;
}
