import 'server-only';
import { askBeacon } from '@/lib/beacon/ask-beacon';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { countOutstanding } from '@/lib/line/count-outstanding';
import { forgetLine } from '@/lib/line/find-line';
import { findNextLive } from '@/lib/line/find-next-live';
import { nextAdmission } from '@/lib/line/next-admission';
import { placesOf } from '@/lib/line/places';
import { shuffleLine, type Told } from '@/lib/line/shuffle-line';
import { type LineRow, toLineHead } from '@/lib/line/to-line-head';
import type { LineHead } from '@/lib/line/types';
import { processWide } from '@/lib/process-wide';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { readStock } from '@/lib/stock/read-stock';
import { salePhase } from '@/lib/stock/sale-phase';
import type { Stock } from '@/lib/stock/types';
import { busiest } from '@/lib/switchboard/heard-loads';
import { isSoldByDatabase } from '../purchase/stock-place';
import { healStock } from '../recovery/heal-stock';
import { readDatabaseStock } from '../sales/read-database-stock';

export const TEND_LINES_EVERY_MS = 250;
/** A line that was looked after less than this ago can wait. */
const REST_MS = 200;
const MOST_LINES = 200;
/** People wait for a beacon's round so long at most, and so much longer for its answer. */
const BEACON_WAIT_MS = 10_000;
const BEACON_GRACE_MS = 3_000;

const asking = processWide('lines-asking', () => new Set<string>());

type DueLine = LineRow & {
  version: number;
  limit_per_user: number;
  starts_at: Date;
  machine_rate: number;
  credit: number;
  tended_at: Date | null;
};

/**
 * Looks after the waiting rooms of sales that run: shuffles those who came before the start, once, and then lets people
 * in. Any number of workers may do it: a step counts only if nobody has taken another since it was read. A worker calls it
 * four times a second.
 * @param beaconUrl whose first value after the start goes into the shuffle; null: none does
 * @returns how many lines it moved. @throws connection errors
 */
export async function tendLines(beaconUrl: string | null = env().beaconUrl ?? null): Promise<number> {
  const rows = await db().$queryRaw<DueLine[]>`
    SELECT l.*, s.limit_per_user, s.starts_at, clock_timestamp() AS read_at FROM lines l JOIN sales s ON s.id = l.sale_id
    WHERE s.admission = 'waiting_room' AND s.status = 'published' AND s.starts_at <= now() AND s.ends_at > now()
      AND (l.tended_at IS NULL OR l.tended_at < now() - make_interval(secs => ${REST_MS / 1_000}))
    ORDER BY l.tended_at NULLS FIRST LIMIT ${MOST_LINES}`;
  const moved = await Promise.all(
    rows.map((row) =>
      tend(row, beaconUrl).catch((err: unknown) => {
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
async function tend(row: DueLine, beaconUrl: string | null): Promise<boolean> {
  const line = toLineHead(row);
  const { saleId } = line;
  const places = await placesOf(line);
  if (!places) return shuffle(row, beaconUrl);
  const outstanding = await countOutstanding(line, places);
  // Afterwards, and not from memory: an order that has been counted must have left the stock that is read.
  const stock = await readStockNow(saleId);
  const next = nextAdmission({
    now: line.readAt,
    tendedAt: row.tended_at?.getTime() ?? null,
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

/**
 * Shuffles a line, whose places are used from the next step on. A beacon takes seconds, and other lines must not wait for
 * it: so with one the shuffle goes on by itself.
 */
async function shuffle({ sale_id: saleId, starts_at }: DueLine, beaconUrl: string | null): Promise<boolean> {
  if (beaconUrl === null) return shuffleWith(saleId, { beacon: null, beaconUrl });
  if (asking.has(saleId)) return false;
  asking.add(saleId);
  void askBeacon(beaconUrl, starts_at.getTime(), BEACON_GRACE_MS, BEACON_WAIT_MS)
    .then((beacon) => {
      if (beacon === null) log.warn({ saleId }, 'the beacon told nothing: shuffled without it');
      return shuffleWith(saleId, { beacon, beaconUrl });
    })
    .catch((err: unknown) => log.error({ saleId, err }, 'a line could not be shuffled'))
    .finally(() => asking.delete(saleId));
  return false;
}

async function shuffleWith(saleId: string, told: Told): Promise<boolean> {
  const isMine = await shuffleLine(saleId, told);
  if (isMine) forgetLine(saleId);
  return isMine;
}
