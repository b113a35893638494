import 'server-only';
import type { PassedOver } from '@/lib/contract/words/draw';
import type { Db } from '@/lib/db/client';
import type { ProvenEntry } from '@/lib/shuffle/check-order';
import { digestList } from '@/lib/shuffle/digest-list';
import { pseudonymOf } from './pseudonym';

/** The line whose list is read. */
type Listed = {
  saleId: string;
  pseudonymKey: Uint8Array;
  /** Of a waiting room the place that follows from the number; null: a draw, whose places are written. */
  placeOf: ((number: number) => number) | null;
};

type Row = {
  number: number;
  user_id: string;
  nonce: Uint8Array;
  weight: number;
  place: number | null;
  passed_over: PassedOver | null;
  has_left: boolean;
};

export type ListEntry = ProvenEntry & { passedOver: PassedOver | null };

/** The pseudonyms of a page take some 50 ms, in which the process does nothing else. */
const PAGE = 5_000;

/** Reads the entries with numbers from `from` until before `to`, as they are published. @throws connection errors */
export async function readList(tx: Db, line: Listed, from: number, to: number): Promise<ListEntry[]> {
  const { saleId, pseudonymKey, placeOf } = line;
  const rows = await tx.$queryRaw<Row[]>`
    SELECT number, user_id, nonce, weight, place, passed_over, left_at IS NOT NULL AS has_left FROM line_entries
    WHERE sale_id = ${saleId} AND number >= ${from} AND number < ${to} ORDER BY number`;
  return rows.map((row) => ({
    number: row.number,
    pseudonym: pseudonymOf(pseudonymKey, row.user_id),
    nonce: Buffer.from(row.nonce).toString('hex'),
    weight: row.weight,
    place: placeOf ? placeOf(row.number) : (row.place ?? -1),
    passedOver: placeOf ? (row.has_left ? 'left' : null) : row.passed_over,
  }));
}

/**
 * Computes what the list of the first `count` numbers hashes to.
 * @returns 32 bytes. @throws Error if a number is missing; connection errors
 */
export async function digestLine(tx: Db, line: Listed, count: number): Promise<Uint8Array> {
  const entries: ListEntry[] = [];
  while (entries.length < count) {
    const page = await readList(tx, line, entries.length, Math.min(count, entries.length + PAGE));
    if (page.length === 0 || page.at(-1)?.number !== entries.length + page.length - 1)
      throw new Error(`${line.saleId} lacks numbers from ${entries.length} on`);
    entries.push(...page);
  }
  return digestList(line.placeOf === null, entries);
}
