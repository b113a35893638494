import 'server-only';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { db } from '@/lib/db/client';
import { processWide } from '@/lib/process-wide';
import { stockFor, stocksOf } from './stock-ids';

const MAX_SALES = 20_000;
/** How long the number of a draft, and that there is no such sale, is remembered. */
const UNSURE_MS = 1_000;

const known = processWide('slices', () => new LRUCache<string, number>({ max: MAX_SALES }));

/** Remembers into how many slices a sale is split. Only for sales that are published: from then on it stays. */
export function noteSlices({ saleId, slices }: { saleId: string; slices: number }): void {
  if (known.get(saleId) !== slices) known.set(saleId, slices);
}

/**
 * Returns into how many slices a sale is split: at once where this process knows, else as Postgres says. 1 if there is
 * no such sale. @throws connection errors
 */
export function slicesOf(saleId: string): number | Promise<number> {
  return known.get(saleId) ?? ask(saleId);
}

type Row = { id: string; slices: number; isDraft: boolean };
/** The sales to ask for at the end of this turn of the event loop: somebody may read thousands at once. */
let next: { saleIds: Set<string>; rows: Promise<Map<string, Row>> } | undefined;

async function ask(saleId: string): Promise<number> {
  if (!next) {
    const saleIds = new Set<string>();
    next = { saleIds, rows: nextTurn().then(() => readRows(saleIds)) };
  }
  next.saleIds.add(saleId);
  const row = (await next.rows).get(saleId);
  const slices = row?.slices ?? 1;
  known.set(saleId, slices, row && !row.isDraft ? {} : { ttl: UNSURE_MS });
  return slices;
}

async function readRows(saleIds: ReadonlySet<string>): Promise<Map<string, Row>> {
  next = undefined;
  const rows = await db().$queryRaw<Row[]>`
    SELECT id, slices, status = 'draft' AS "isDraft" FROM sales WHERE id = ANY (${[...saleIds]}::text[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the stocks of a sale, or the one slice that is named; the first has the sale's id, which names them all. @throws as `slicesOf` */
export async function stocksAt(id: string): Promise<readonly string[]> {
  if (id.includes('/')) return [id];
  const slices = slicesOf(id);
  return stocksOf(id, typeof slices === 'number' ? slices : await slices);
}

/** Returns the stock that counts what a user buys in a sale; a named slice stays, but the first. @throws as `slicesOf` */
export async function stockAt(id: string, userId: string): Promise<string> {
  if (id.includes('/')) return id;
  const slices = slicesOf(id);
  return stockFor(id, userId, typeof slices === 'number' ? slices : await slices);
}
