import 'server-only';
import { joinReads } from '@/lib/db/join-reads';
import { keptQuery } from '@/lib/db/kept-query';
import { isOutage } from '@/lib/errors/is-outage';
import { processWide } from '@/lib/process-wide';
import { type LineRow, toLineHead } from './to-line-head';
import type { LineHead } from './types';

/** One read of Postgres serves all callers of a process within this time. */
const KEEP_MS = 250;
/** A line that was read longer ago is read from a server that hangs. */
const HANGS_AFTER_MS = 1_000;
/** While Postgres is away, what was known last is shown for this long. */
const BRIDGED_MS = 600_000;
const MAX_LINES = 1_000;

type Kept = { head: LineHead; at: number };
const inProcess = processWide('lines', () => ({
  kept: new Map<string, Kept>(),
  reading: new Map<string, Promise<LineHead | null>>(),
}));

/** Lines that are asked for together share a query. */
const read = joinReads<string, LineHead>(async (saleIds) => {
  const rows = await keptQuery<LineRow>`
    SELECT sale_id, seed, seed_hash, nonces_digest, beacon, next_number, early, admitted, lapsed, steps, stood_ms, tended_at,
           per_minute, held,
           closed, opened, pseudonym_key, enlisted_at, clock_timestamp() AS read_at,
           CASE WHEN early IS NULL THEN (SELECT count(*)::int FROM line_entries e
                                         WHERE e.sale_id = lines.sale_id AND e.left_at IS NOT NULL) END AS left_early
    FROM lines WHERE sale_id = ANY (${saleIds}::text[])`;
  return new Map(rows.map((row) => [row.sale_id, toLineHead(row)]));
});

/**
 * Returns the head of a sale's line as of a quarter of a second ago at most, however many ask; null if the sale has none.
 * While Postgres is away, returns what was known last: `readAt` says when that was.
 * @throws connection errors if nothing is known
 */
export async function findLine(saleId: string): Promise<LineHead | null> {
  const { kept, reading } = inProcess;
  const known = kept.get(saleId);
  const ageMs = known ? performance.now() - known.at : Number.POSITIVE_INFINITY;
  if (known && ageMs < KEEP_MS) return known.head;
  const asked = reading.get(saleId) ?? load(saleId);
  // A mere look at the waiting room does not wait for a server that hangs.
  if (known && ageMs < BRIDGED_MS && ageMs > HANGS_AFTER_MS) {
    return Promise.race([
      asked,
      new Promise<LineHead>((resolve) => setTimeout(resolve, KEEP_MS, known.head)),
    ]).catch((error: unknown) => bridge(known, error));
  }
  return asked.catch((error: unknown) => bridge(known, error));
}

/** Returns the head as it is now, for decisions about places. @throws connection errors */
export const readLine = async (saleId: string): Promise<LineHead | null> => load(saleId);

/** Forgets what this process knows of a line, after a change. */
export function forgetLine(saleId: string): void {
  inProcess.kept.delete(saleId);
  inProcess.reading.delete(saleId);
}

function bridge(known: Kept | undefined, error: unknown): LineHead {
  if (known && isOutage(error) && performance.now() - known.at < BRIDGED_MS) return known.head;
  throw error;
}

function load(saleId: string): Promise<LineHead | null> {
  const { kept, reading } = inProcess;
  const at = performance.now();
  const asked: Promise<LineHead | null> = read(saleId)
    .then((head) => {
      if (!head) return null;
      if (kept.size >= MAX_LINES) kept.clear();
      if ((kept.get(saleId)?.head.readAt ?? 0) <= head.readAt) kept.set(saleId, { head, at });
      return head;
    })
    .finally(() => {
      if (reading.get(saleId) === asked) reading.delete(saleId);
    });
  reading.set(saleId, asked);
  return asked;
}
