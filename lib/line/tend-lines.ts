import { limitMs } from '@/lib/time-limits';
import 'server-only';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { isOutage } from '@/lib/errors/is-outage';
import { isSoldByDatabase } from '@/lib/fallback/stock-place';
import { log } from '@/lib/http/log';
import { countOutstanding } from '@/lib/line/records/count-outstanding';
import { forgetLine } from '@/lib/line/records/find-line';
import { findNextLive } from '@/lib/line/records/find-next-live';
import { nextAdmission } from '@/lib/line/records/next-admission';
import { placesOf } from '@/lib/line/records/places';
import { shuffleLine } from '@/lib/line/records/shuffle-line';
import { type LineRow, toLineHead } from '@/lib/line/records/to-line-head';
import type { LineHead } from '@/lib/line/records/types';
import { healStock } from '@/lib/loading/heal-stock';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { readDatabaseStock } from '@/lib/sale/records/read-database-stock';
import { readStock } from '@/lib/stock/read-stock';
import { salePhase } from '@/lib/stock/sale-phase';
import type { Stock } from '@/lib/stock/types';
import { busiest } from '@/lib/switchboard/heard-loads';

export const TEND_LINES_EVERY_MS = 250;
/** A line that was looked after less than this ago can wait. */
const REST_MS = 200;
const MOST_LINES = 200;

type DueLine = LineRow & {
  version: number;
  limit_per_user: number;
  machine_rate: number;
  credit: number;
};

/**
 * Looks after the waiting rooms of sales that run: shuffles those who came before the start, once, and then lets people
 * in. Any number of workers may do it: a step counts only if nobody has taken another since it was read. A worker calls it
 * four times a second.
 * @returns how many lines it moved. @throws connection errors
 */
export async function tendLines(): Promise<number> {
  const rows = await db().$queryRaw<DueLine[]>`
    SELECT l.*, s.limit_per_user, clock_timestamp() AS read_at FROM lines l JOIN sales s ON s.id = l.sale_id
    WHERE s.admission = 'waiting_room' AND s.status = 'published' AND s.starts_at <= now() AND s.ends_at > now()
      AND (l.tended_at IS NULL OR l.tended_at < now() - make_interval(secs => ${REST_MS / 1_000}))
    ORDER BY l.tended_at NULLS FIRST LIMIT ${MOST_LINES}`;
  const moved = await Promise.all(
    rows.map((row) =>
      tend(row).catch((err: unknown) => {
        // A line that can't be moved must not hold up the others.
        if (isOutage(err)) throw err;
        log.error({ saleId: row.sale_id, err }, 'a line could not be looked after');
        return false;
      }),
    ),
  );
  return moved.filter(Boolean).length;
}

/** Takes one step. @returns false if another worker has */
async function tend(row: DueLine): Promise<boolean> {
  const line = toLineHead(row);
  const { saleId } = line;
  const places = await placesOf(line);
  if (!places) return shuffle(saleId);
  const outstanding = await countOutstanding(line, places);
  // Afterwards, and not from memory: an order that has been counted must have left the stock that is read.
  const stock = await readStockNow(saleId);
  const next = nextAdmission({
    now: line.readAt,
    tendedAt: line.tendedAt,
    admitted: line.admitted,
    lapsed: line.lapsed,
    steps: line.steps,
    waiting: line.joined - line.admitted,
    outstanding,
    available: stock?.available ?? 0,
    limitPerUser: row.limit_per_user,
    busy: busiest(),
    machineRate: row.machine_rate,
    credit: row.credit,
    perMinute: line.perMinute,
    held: line.held,
    opened: line.opened,
    isStopped: stock === null || !['live', 'sold_out'].includes(salePhase(stock)),
  });
  const admitted = next.admit === 0 ? line.admitted : await reach(line, places, next.admit);
  const steps = admitted > line.admitted ? [...next.steps, [line.readAt, admitted]] : next.steps;
  const changed = await db().$executeRaw`
    UPDATE lines SET admitted = ${admitted}, lapsed = ${next.lapsed}, steps = ${JSON.stringify(steps)}::jsonb,
                     stood_ms = stood_ms + ${Math.round(next.standsMs)},
                     machine_rate = ${next.machineRate}, credit = ${next.credit}, tended_at = ${row.read_at},
                     version = version + 1, updated_at = now()
    WHERE sale_id = ${saleId} AND version = ${row.version}`;
  if (changed === 1) forgetLine(saleId);
  return changed === 1;
}

/** Returns the stock as it is at this moment; null while it can't be read, or is being loaded. */
async function readStockNow(saleId: string): Promise<Stock | null> {
  try {
    const info = await findSaleInfo(saleId);
    if (!info) return null;
    if (await isSoldByDatabase(info)) return await readDatabaseStock(saleId);
    const stock = await readStock(saleId);
    if (!stock) await healStock(saleId);
    return stock;
  } catch (error) {
    if (!isOutage(error)) throw error;
    return null;
  }
}

type Moved = Parameters<typeof findNextLive>;

/** Opened fully, all places are let in at once, also those that were left. */
const reach = (line: LineHead, places: Moved[1], people: number): Promise<number> | number =>
  line.opened ? line.joined : findNextLive(line, places, people);

/** The places are used from the next step on. Does nothing if the start was moved since the line was found due. */
async function shuffle(saleId: string): Promise<boolean> {
  const isMine = await transaction(async (tx) => {
    const [row] = await tx.$queryRaw<{ early: number | null }[]>`
      SELECT early FROM lines WHERE sale_id = ${saleId} FOR UPDATE`;
    if (!row || row.early !== null) return false;
    // Waits for a move that is under way: from here on the start can't move any more.
    const started = await tx.$queryRaw<object[]>`
      SELECT 1 FROM sales WHERE id = ${saleId} AND starts_at <= now() FOR SHARE`;
    if (started.length === 0) return false;
    await shuffleLine(tx, saleId);
    return true;
  }, limitMs('shuffle'));
  if (isMine) forgetLine(saleId);
  return isMine;
}
