import { sqlError } from './tables';

/*
 * The tables of lines with their CHECK constraints, as in prisma/migrations. The product reads them by SQL, so the names
 * are those of the columns.
 */

export type LineRow = {
  sale_id: string;
  seed: Uint8Array;
  seed_hash: Uint8Array;
  pseudonym_key: Uint8Array;
  next_number: number;
  early: number | null;
  nonces_digest: Uint8Array | null;
  list_digest: Uint8Array | null;
  beacon: string | null;
  beacon_url: string | null;
  shuffled_at: Date | null;
  drawing_until: Date | null;
  enlisted_at: Date | null;
  admitted: number;
  lapsed: number;
  steps: [at: number, admitted: number][];
  per_minute: number | null;
  held: boolean;
  closed: boolean;
  opened: boolean;
  machine_rate: number;
  credit: number;
  tended_at: Date | null;
  version: number;
};

/** Somebody's place in a line; keyed by `sale number`. */
export type LineEntryRow = {
  sale_id: string;
  number: number;
  user_id: string;
  nonce: Uint8Array;
  weight: number;
  device: string | null;
  network: string | null;
  joined_at: Date;
  entered_at: Date | null;
  left_at: Date | null;
  place: number | null;
  passed_over: string | null;
  order_no: string | null;
};

/** The columns of a line at its opening that have default values. */
export const NEW_LINE = {
  next_number: 0,
  early: null,
  nonces_digest: null,
  list_digest: null,
  beacon: null,
  beacon_url: null,
  shuffled_at: null,
  drawing_until: null,
  enlisted_at: null,
  admitted: 0,
  lapsed: 0,
  steps: [],
  per_minute: null,
  held: false,
  closed: false,
  opened: false,
  machine_rate: 50,
  credit: 0,
  tended_at: null,
  version: 1,
} satisfies Partial<LineRow>;

export const entryKey = ({ sale_id, number }: Pick<LineEntryRow, 'sale_id' | 'number'>): string =>
  `${sale_id} ${number}`;

export function checkLine(row: LineRow): void {
  const { early, nonces_digest, shuffled_at, admitted, lapsed, next_number, enlisted_at } = row;
  const isSet = early !== null;
  const isTogether = isSet === (nonces_digest !== null) && isSet === (shuffled_at !== null);
  if (!isTogether || (early ?? 0) > next_number) throw sqlError('23514', 'lines_shuffled_check');
  if (enlisted_at !== null && !isSet) throw sqlError('23514', 'lines_enlisted_check');
  if (!(lapsed >= 0 && lapsed <= admitted)) throw sqlError('23514', 'lines_admitted_check');
}

export function checkLineEntry({ number, weight, passed_over, place }: LineEntryRow): void {
  if (number < 0 || weight < 1 || weight > 100) throw sqlError('23514', 'line_entries_number_check');
  if (passed_over !== null && place === null) throw sqlError('23514', 'line_entries_drawn_check');
}
