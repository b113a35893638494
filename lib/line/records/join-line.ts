import 'server-only';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { OutageError } from '@/lib/errors/outage-error';
import { processWide } from '@/lib/process-wide';
import { limitMs } from '@/lib/time-limits';
import { toLineEntry } from './find-entry';
import { isOver } from './is-over';
import { judgeJoins, type Rules, type Standing } from './judge-joins';
import { placesOf } from './places';
import { type LineRow, toLineHead } from './to-line-head';
import type { LineEntry, LineHead } from './types';

type Entrant = {
  userId: string;
  /** 16 random bytes from the browser: they go into the shuffle. */
  nonce: Uint8Array;
  /** The variant that is wished in a draw; 0: none. */
  variant: number;
  /** Keyed hashes; null: not counted. */
  device: string | null;
  network: string | null;
};

type Row = Parameters<typeof toLineEntry>[0];

type JoinResult =
  | { status: 'joined' | 'already_joined'; entry: LineEntry; line: LineHead }
  /** Another account of this device or network has the place. */
  | { status: 'taken'; by: 'device' | 'network' }
  | { status: 'closed' | 'too_often' }
  | { status: 'no_line' };

type Waiting = {
  entrant: Entrant;
  since: number;
  resolve: (result: JoinResult) => void;
  reject: (error: unknown) => void;
};
type Batch = { rules: Rules; waiting: Waiting[]; isBusy: boolean };

/** People in one transaction. A statement of 500 takes some 20 ms. */
const MOST_AT_ONCE = 500;
/** People of one sale who may wait in a process; more are told to ask again. */
const MOST_WAITING = 20_000;

const batches = processWide('line-joins', () => new Map<string, Batch>());

/**
 * Gives a person the next number of a waiting room or draw. Joins that come together share a transaction, which locks
 * the line's row: numbers are contiguous, in the order of commits. Joining again keeps the place. After leaving,
 * after the turn, or with another wish it gives a new one, up to `MOST_NUMBERS`; the old number remains a gap.
 * @param rules of the sale
 * @returns after the commit, so that no place that was told is lost
 * @throws connection errors, or an OutageError after 3 s without a turn: asking again finds out
 */
export function joinLine(saleId: string, entrant: Entrant, rules: Rules): Promise<JoinResult> {
  const batch = batches.get(saleId) ?? { rules, waiting: [], isBusy: false };
  batches.set(saleId, batch);
  batch.rules = rules;
  return new Promise((resolve, reject) => {
    if (batch.waiting.length >= MOST_WAITING) return reject(new OutageError('too many join this line'));
    batch.waiting.push({ entrant, since: performance.now(), resolve, reject });
    if (!batch.isBusy) {
      batch.isBusy = true;
      setImmediate(() => void work(saleId, batch));
    }
  });
}

/** Works until nobody waits. Never rejects. */
async function work(saleId: string, batch: Batch): Promise<void> {
  while (batch.waiting.length > 0) {
    const before = performance.now() - limitMs('lineTurn');
    const some = batch.waiting.splice(0, MOST_AT_ONCE).filter((one) => {
      if (one.since > before) return true;
      one.reject(new OutageError('joins wait too long'));
      return false;
    });
    if (some.length === 0) continue;
    try {
      const results = await joinAll(
        saleId,
        some.map(({ entrant }) => entrant),
        batch.rules,
      );
      for (const [at, { resolve }] of some.entries()) resolve(results[at] as JoinResult);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }
  batches.delete(saleId);
  batch.isBusy = false;
}

async function joinAll(saleId: string, entrants: readonly Entrant[], rules: Rules): Promise<JoinResult[]> {
  return transaction(async (tx) => {
    const [row] = await tx.$queryRaw<LineRow[]>`
      SELECT * FROM lines WHERE sale_id = ${saleId} FOR UPDATE`;
    if (!row) return entrants.map(() => ({ status: 'no_line' as const }));
    const [clock] = await tx.$queryRaw<{ now: Date; is_before: boolean }[]>`
      SELECT clock_timestamp() AS now, clock_timestamp() < starts_at AS is_before FROM sales WHERE id = ${saleId}`;
    if (!clock) return entrants.map(() => ({ status: 'no_line' as const }));
    const line = toLineHead({ ...row, read_at: clock.now });
    const known = await readKnown(tx, saleId, entrants);
    const places = await placesOf(line);
    const standing = new Map<string, Standing>();
    const over: number[] = [];
    for (const entry of known.entries) {
      if (isOver(line, entry, places, clock.now.getTime())) over.push(entry.number);
      else standing.set(entry.userId, entry);
    }
    const isClosed = row.closed || (rules.untilStart && !clock.is_before);
    const judged = judgeJoins(entrants, { ...known, standing }, isClosed ? 'closed' : rules);
    const joining = judged.flatMap((verdict, at) => (verdict === 'join' ? [entrants[at] as Entrant] : []));
    // A person who joins gives up the place of another wish, or of a turn that is over.
    over.push(...joining.flatMap(({ userId }) => standing.get(userId)?.number ?? []));
    if (over.length > 0 && joining.length > 0)
      await tx.$executeRaw`
        UPDATE line_entries SET left_at = now()
        WHERE sale_id = ${saleId} AND number = ANY (${over}::int[]) AND left_at IS NULL
          AND user_id = ANY (${joining.map(({ userId }) => userId)}::text[])`;
    const entries = await insert(tx, saleId, row.next_number, joining);
    const joined = new Map(entries.map((entry) => [entry.userId, entry]));
    line.joined += joining.length;
    return judged.map((verdict, at): JoinResult => {
      const { userId } = entrants[at] as Entrant;
      if (verdict === 'closed' || verdict === 'too_often') return { status: verdict };
      if (verdict === 'device' || verdict === 'network') return { status: 'taken', by: verdict };
      const entry = joined.get(userId) ?? standing.get(userId);
      if (!entry) throw new Error(`${userId} has no place after joining`);
      return { status: verdict === 'join' ? 'joined' : 'already_joined', entry, line };
    });
  }, limitMs('lineJoin'));
}

/** Reads what bears on these joins: places they have and had, devices that have one, and how many each network has. */
async function readKnown(tx: Db, saleId: string, entrants: readonly Entrant[]) {
  const all = <K extends 'device' | 'network'>(name: K) => [
    ...new Set(entrants.flatMap((entrant) => entrant[name] ?? [])),
  ];
  const [devices, networks] = [all('device'), all('network')];
  const rows = await tx.$queryRaw<(Row & { has_left: boolean; network: string | null })[]>`
    SELECT user_id, number, joined_at, entered_at, stood_ms::float8 AS stood_ms, variant, network,
           left_at IS NOT NULL AS has_left FROM line_entries
    WHERE sale_id = ${saleId} AND user_id = ANY (${entrants.map(({ userId }) => userId)}::text[])`;
  const taken =
    devices.length === 0
      ? []
      : await tx.$queryRaw<{ device: string; user_id: string }[]>`
          SELECT device, user_id FROM line_entries
          WHERE sale_id = ${saleId} AND left_at IS NULL AND device = ANY (${devices}::text[])`;
  const counts =
    networks.length === 0
      ? []
      : await tx.$queryRaw<{ network: string; count: number }[]>`
          SELECT network, count(*)::int AS count FROM line_entries
          WHERE sale_id = ${saleId} AND left_at IS NULL AND network = ANY (${networks}::text[]) GROUP BY network`;
  const numbersOf = new Map<string, number>();
  for (const { user_id } of rows) numbersOf.set(user_id, (numbersOf.get(user_id) ?? 0) + 1);
  return {
    entries: rows
      .filter(({ has_left }) => !has_left)
      .map((row): Standing => ({ ...toLineEntry(row), network: row.network })),
    numbersOf,
    deviceOf: new Map(taken.map(({ device, user_id }) => [device, user_id])),
    perNetwork: new Map(counts.map(({ network, count }) => [network, count])),
  };
}

/** Writes the entries and moves the line's next number on. */
async function insert(
  tx: Db,
  saleId: string,
  next: number,
  joining: readonly Entrant[],
): Promise<LineEntry[]> {
  if (joining.length === 0) return [];
  const rows = await tx.$queryRaw<Row[]>`
    INSERT INTO line_entries (sale_id, number, user_id, nonce, variant, device, network, joined_at)
    SELECT ${saleId}, ${next}::int + at::int - 1, user_id, decode(nonce, 'hex'), variant, device, network, clock_timestamp()
    FROM unnest(${joining.map(({ userId }) => userId)}::text[],
                ${joining.map(({ nonce }) => Buffer.from(nonce).toString('hex'))}::text[],
                ${joining.map(({ variant }) => variant)}::smallint[],
                ${joining.map(({ device }) => device)}::text[],
                ${joining.map(({ network }) => network)}::text[])
      WITH ORDINALITY AS j (user_id, nonce, variant, device, network, at)
    RETURNING user_id, number, joined_at, entered_at, stood_ms::float8 AS stood_ms, variant`;
  await tx.$executeRaw`
    UPDATE lines SET next_number = next_number + ${joining.length}, updated_at = now() WHERE sale_id = ${saleId}`;
  return rows.map(toLineEntry);
}
