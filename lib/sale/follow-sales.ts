import 'server-only';
import { nowMs } from '@/lib/clock';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { stockRedis } from '@/lib/redis/client';
import { timeMs } from '@/lib/redis/time-ms';
import type { ListedSale } from '@/lib/sale/records/listed-sale';
import {
  type ListChange,
  type ListHead,
  readLastEntry,
  readListEntries,
  readListHead,
  scanPublished,
} from '@/lib/sale/records/published-list';
import { createSaleList, type SaleList } from './sale-list';

const EVERY_MS = 400;
/** A list older than this may have changed; it is read again before it is shown. */
export const FRESH_MS = 1_500;

type Copy = { generation: string; n: number; lastEntryId: string };

type Followed = {
  list: SaleList;
  copy: Copy | null;
  /** When the list was last confirmed, monotonic ms. */
  saidAt: number;
  /** Difference from the monotonic clock to the clock of the Redis that decides, ms. */
  clockMs: number;
  looking?: Promise<void>;
  timer?: NodeJS.Timeout;
};

let followed: Followed | undefined;
const memory = (): Followed => {
  followed ??= {
    list: createSaleList(),
    copy: null,
    saidAt: Number.NEGATIVE_INFINITY,
    clockMs: nowMs() - performance.now(),
  };
  return followed;
};

/** Returns the list of sales in this process and how old it is at most, ms; infinite if there never was one. */
export function followedSales(): { list: SaleList; ageMs: number; now: number } {
  const { list, saidAt, clockMs } = memory();
  const now = performance.now();
  return { list, ageMs: now - saidAt, now: Math.floor(now + clockMs) };
}

/** Keeps the list up to date for as long as the process lives: reads the changes every 0.4 s, however many clients ask. */
export function keepFollowingSales(): void {
  const held = memory();
  held.timer ??= setInterval(() => void lookAtSales(), EVERY_MS).unref();
  void lookAtSales();
}

/** Looks now, or joins the look that is under way. Never rejects: while Redis is away, the list grows old. */
export function lookAtSales(): Promise<void> {
  const held = memory();
  held.looking ??= look(held)
    .catch((err: unknown) => {
      if (!isOutage(err)) log.error({ err }, 'the list of sales could not be read');
    })
    .finally(() => {
      held.looking = undefined;
    });
  return held.looking;
}

async function look(held: Followed): Promise<void> {
  const askedAt = performance.now();
  const [head, entries] = await Promise.all([
    readListHead(),
    held.copy ? readListEntries(held.copy.lastEntryId) : [],
    setClock(held),
  ]);
  // No process publishes: the known list grows old.
  if (!head) return;
  let { copy } = held;
  if (copy?.generation === head.generation) {
    for (let some = entries; some.length > 0 && copy; ) {
      copy = takeIn(held.list, copy, some);
      if (!copy || copy.n >= head.n) break;
      some = await readListEntries(copy.lastEntryId);
    }
  } else copy = null;
  // Some changes were missed, or it is another copy: read all of it.
  if (!copy || copy.n < head.n) copy = await readAll(held.list, head);
  held.copy = copy;
  held.saidAt = askedAt - head.ageMs;
}

/** Applies changes to the list. @returns null if changes are missing between the known ones and these. */
function takeIn(
  list: SaleList,
  copy: Copy,
  entries: readonly { entryId: string; n: number; changes: ListChange[] }[],
): Copy | null {
  for (const { entryId, n, changes } of entries) {
    if (n !== copy.n + 1) return null;
    apply(list, changes);
    copy = { ...copy, n, lastEntryId: entryId };
  }
  return copy;
}

/**
 * Reads the whole list: a thousand sales take some 10 ms, in pieces of one or two. Changes made meanwhile are in the
 * stream, after the entry read first.
 */
async function readAll(list: SaleList, { generation }: ListHead): Promise<Copy> {
  const { entryId: lastEntryId, n } = await readLastEntry();
  const gone = new Set(list.ids());
  for await (const sales of scanPublished()) {
    apply(list, sales);
    for (const [saleId, json] of sales) if (json !== '') gone.delete(saleId);
  }
  for (const saleId of gone) list.remove(saleId);
  return { generation, n, lastEntryId };
}

function apply(list: SaleList, changes: readonly ListChange[]): void {
  for (const [saleId, json] of changes) {
    if (json === '') list.remove(saleId);
    else list.put(JSON.parse(json) as ListedSale);
  }
}

/**
 * Sets the clock. Sales begin and end by the clock of the Redis that sells them; while it is away, its last reading
 * counts.
 */
async function setClock(held: Followed): Promise<void> {
  const askedAt = performance.now();
  const time = await stockRedis()
    .time()
    .catch(() => null);
  if (!time) return;
  held.clockMs = timeMs(time) - (askedAt + performance.now()) / 2;
}
