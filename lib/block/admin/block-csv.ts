import { type BlockRequest, MAX_BATCH } from '@/lib/block/block-subjects';
import type { BlockView } from '@/lib/contract/shapes/block';
import { BLOCK_KINDS, type RowProblem } from '@/lib/contract/words/block';
import { cellsBy, csvLine, type ParsedCsv, parseCsv, parseInstant } from '@/lib/csv';

const COLUMNS = ['kind', 'value', 'reason', 'expires_at', 'blocked_by', 'created_at', 'lifted_at'] as const;
const NEEDED = ['kind', 'value', 'reason', 'expires_at'] as const;

/** The first line of an export. */
export const CSV_HEAD = csvLine(COLUMNS);

/** Writes a block as a line of an export; an import accepts the same line. Times as ISO 8601, UTC. */
export function toCsvLine({ kind, value, reason, expiresAt, by, createdAt, liftedAt }: BlockView): string {
  const time = (ms: number | null) => (ms === null ? '' : new Date(ms).toISOString());
  return csvLine([kind, value, reason, time(expiresAt), by, time(createdAt), time(liftedAt)]);
}

type CsvBlock = { line: number } & ({ request: BlockRequest } | { problem: RowProblem });

export type ParsedBlocks =
  | { status: 'parsed'; rows: CsvBlock[] }
  | Extract<ParsedCsv, { status: 'malformed' }>
  | { status: 'no_columns'; missing: string[] }
  | { status: 'too_many' };

/**
 * Reads blocks from CSV. The first line names the columns; unknown columns are ignored.
 * @param by the person who imports them.
 */
export function parseBlocks(text: string, by: string): ParsedBlocks {
  const parsed = parseCsv(text);
  if (parsed.status === 'malformed') return parsed;
  const [head = { cells: [] }, ...rows] = parsed.rows;
  const { names, cellOf } = cellsBy<(typeof NEEDED)[number]>(head.cells);
  const missing = NEEDED.filter((name) => name !== 'expires_at' && !names.includes(name));
  if (missing.length > 0) return { status: 'no_columns', missing };
  if (rows.length > MAX_BATCH) return { status: 'too_many' };
  return {
    status: 'parsed',
    rows: rows.map(({ line, cells }) => {
      const kind = BLOCK_KINDS.find((known) => known === cellOf(cells, 'kind').toLowerCase());
      const reason = cellOf(cells, 'reason');
      const expiry = cellOf(cells, 'expires_at');
      const expiresAt = expiry === '' ? null : parseInstant(expiry);
      if (!kind) return { line, problem: 'kind' };
      if (reason === '') return { line, problem: 'reason' };
      if (Number.isNaN(expiresAt)) return { line, problem: 'expires_at' };
      return { line, request: { kind, value: cellOf(cells, 'value'), reason, by, expiresAt } };
    }),
  };
}
