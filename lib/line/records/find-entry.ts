import 'server-only';
import type { PassedOver } from '@/lib/contract/words/draw';
import { joinReads } from '@/lib/db/join-reads';
import { keptQuery } from '@/lib/db/kept-query';
import type { LineEntry } from './types';

type EntryRow = {
  sale_id: string;
  user_id: string;
  number: number;
  joined_at: Date;
  entered_at: Date | null;
  stood_ms: number | null;
  variant: number;
  place?: number | null;
  weight?: number;
  passed_over?: PassedOver | null;
};

const keyOf = (saleId: string, userId: string): string => `${saleId} ${userId}`;

const read = joinReads<string, LineEntry>(async (asked) => {
  const pairs = asked.map((key) => key.split(' '));
  const rows = await keptQuery<EntryRow>`
    SELECT e.sale_id, e.user_id, e.number, e.joined_at, e.entered_at, e.stood_ms::float8 AS stood_ms, e.variant, e.place, e.weight, e.passed_over
    FROM unnest(${pairs.map(([saleId]) => saleId)}::text[], ${pairs.map(([, userId]) => userId)}::text[]) AS a (sale_id, user_id)
    JOIN line_entries e USING (sale_id, user_id) WHERE e.left_at IS NULL`;
  return new Map(rows.map((row) => [keyOf(row.sale_id, row.user_id), toLineEntry(row)]));
});

/** Returns somebody's place in a line; null without one, or after leaving. @throws connection errors */
export const findEntry = async (saleId: string, userId: string): Promise<LineEntry | null> =>
  (await read(keyOf(saleId, userId))) ?? null;

/** Turns a row into an entry. */
export const toLineEntry = (row: Omit<EntryRow, 'sale_id'>): LineEntry => ({
  userId: row.user_id,
  number: row.number,
  joinedAt: row.joined_at.getTime(),
  enteredAt: row.entered_at?.getTime() ?? null,
  stoodMs: row.stood_ms,
  variant: row.variant,
  drawn:
    typeof row.place === 'number'
      ? { place: row.place, weight: row.weight ?? 1, passedOver: row.passed_over ?? null }
      : null,
});
