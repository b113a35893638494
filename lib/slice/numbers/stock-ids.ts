import { LRUCache } from 'lru-cache';
import { slotOf } from '@/lib/redis/slot-of';
import { sliceOf } from './slice-of';

/*
 * A stock id names the stock of a slice wherever a sale's id names that of an undivided sale: in keys, scripts, relays.
 * The first slice has the sale's own id; the others have `sale/slice.n`, and no id of ours has a slash.
 */

const SLOTS = 16_384;
/** A slice lies this near its place in the ring of slots, as a part of the way to the next slice. */
const NEARNESS = 1 / 16;
const MAX_SALES = 10_000;

const known = new LRUCache<string, readonly string[]>({ max: MAX_SALES });

/** Returns the sale to which a stock belongs. */
export function saleOf(stockId: string): string {
  const slash = stockId.indexOf('/');
  return slash < 0 ? stockId : stockId.slice(0, slash);
}

/** Returns which slice of its sale a stock is; 0 for an undivided sale. */
export function sliceNumberOf(stockId: string): number {
  const slash = stockId.indexOf('/');
  return slash < 0 ? 0 : Number.parseInt(stockId.slice(slash + 1), 10);
}

/**
 * Returns the stocks of a sale by slice. Their slots are spread evenly over a cluster, so that as many servers as there
 * are slices get one each. Always the same for a sale.
 */
export function stocksOf(saleId: string, slices: number): readonly string[] {
  if (!(slices > 1)) return [saleId];
  const name = `${saleId} ${slices}`;
  let ids = known.get(name);
  if (!ids) {
    const first = slotOf(`{${saleId}}`);
    ids = Array.from({ length: slices }, (_, slice) =>
      slice === 0 ? saleId : nearSlot(`${saleId}/${slice}`, first + (slice * SLOTS) / slices, SLOTS / slices),
    );
    known.set(name, ids);
  }
  return ids;
}

/** Returns the stock from which a user buys. */
export const stockFor = (saleId: string, userId: string, slices: number): string =>
  slices > 1 ? (stocksOf(saleId, slices)[sliceOf(userId, slices)] as string) : saleId;

function nearSlot(prefix: string, target: number, gap: number): string {
  for (let n = 0; ; n += 1) {
    const id = `${prefix}.${n}`;
    const away = Math.abs(slotOf(`{${id}}`) - (target % SLOTS));
    if (Math.min(away, SLOTS - away) <= gap * NEARNESS) return id;
  }
}
