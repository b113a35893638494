import 'server-only';
import { randomUUID } from 'node:crypto';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import type { StockTiers } from '@/lib/contract/shapes/sale';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { formatLimits } from '@/lib/redis/limit-policy';
import { unknownReply } from '@/lib/redis/parse-reply';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { formatBuyerRecords } from './buyer-record';
import { checkId, checkInteger, checkStockId } from './check-ids';
import { runStockScript } from './run-stock-script';
import { announceChange } from './stock-changes';
import { type BuyerRecord, MAX_UNITS_IN_SCRIPTS, UNLIMITED } from './types';

const SCRIPT = 'load-3-n';
const BATCH_SIZE = 500;
/** If a rebuild dies halfway, the buyers it has staged remain in Redis. They expire after this time. */
const STAGED_TTL_SEC = 3_600;

type Buyers = AsyncIterable<BuyerEntry> | Iterable<BuyerEntry>;
export type BuyerEntry = { userId: string; records: readonly BuyerRecord[] };

/** A sale as Postgres knows it. Times in ms. */
export type StockSnapshot = StockTiers & {
  /** May name one slice of a split sale. */
  saleId: string;
  /** ≥ 1. Loading changes nothing unless this is higher than every epoch loaded before. */
  epoch: number;
  startsAt: number;
  endsAt: number;
  paused: boolean;
  closed?: boolean;
  gate: string;
  /** Units one user may have, 1 … 10,000. */
  limit: number;
  /** When units were last taken; for a sale with none left, when it sold out. Null or left out: none were ever taken. */
  lastTakenAt?: number | null;
  limits?: SaleLimits | null;
  /** True if only users in the hash `reserved` may buy. */
  requiresReservation?: boolean;
  /** Units left of each variant, in order: together those for sale. Left out or empty: the sale has none. */
  variants?: readonly number[];
  /** True if a campaign limits what a user may have over all its sales: then the hash `allowances` counts. */
  sharesLimit?: boolean;
  /**
   * For a rebuild: every buyer, each once. They replace the buyers in Redis in the same step as the sale, so no
   * reader sees half of the change. If left out (first warm-up), the buyers in Redis stay.
   */
  buyers?: Buyers | StagedBuyers;
  /**
   * Left out: the sale has none. The caller has written who waits, in `waitlist` and `places`. Nothing is given to them for
   * `graceMs`; meanwhile nobody else can buy either.
   */
  waitlist?: { isOpen: boolean; lastPlace: number; graceMs: number };
  /** Parcels with smaller numbers are part of the loaded stock, later ones are not (slices only). */
  parcel?: number;
};

/** Buyers that are written ahead, in any number of steps; a load swaps them in. */
type StagedBuyers = { stagedKey: string };

type LoadResult = { status: 'loaded' | 'already_loaded' | 'stale_epoch' };

/**
 * Warms up a sale, or rebuilds it after Redis lost it: writes everything under `epoch`. Safe to run twice and from several
 * processes. The keys have no TTL: stock never expires.
 *
 * @throws TypeError or RangeError on an impossible snapshot (the tiers must add up), connection errors.
 */
export async function loadStock(snapshot: StockSnapshot): Promise<LoadResult> {
  checkSnapshot(snapshot);
  const { saleId, buyers, waitlist } = snapshot;
  const { stagedKey } = buyers && 'stagedKey' in buyers ? buyers : await stageAll(saleId, buyers ?? []);

  const reply = await runStockScript(
    SCRIPT,
    [keys.sale(saleId), keys.buyers(saleId), stagedKey, ...(waitlist ? [keys.waitlist(saleId)] : [])],
    loadArguments(snapshot),
  );
  switch (reply[0]) {
    case 'loaded':
      await announceChange(saleOf(saleId));
      return { status: 'loaded' };
    case 'already_loaded':
    case 'stale_epoch':
      if (buyers) await stockRedis().unlink(stagedKey);
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}

/** Writes a snapshot as the arguments of the script that loads it. */
export function loadArguments(snapshot: StockSnapshot): (string | number)[] {
  const { waitlist, variants = [] } = snapshot;
  return [
    snapshot.epoch,
    snapshot.buyers ? 1 : 0,
    snapshot.gate,
    snapshot.startsAt,
    snapshot.endsAt,
    snapshot.limit,
    snapshot.paused ? 1 : 0,
    snapshot.closed ? 1 : 0,
    snapshot.lastTakenAt ?? '',
    snapshot.total,
    snapshot.available,
    snapshot.held,
    snapshot.sold,
    formatLimits(snapshot.limits),
    snapshot.requiresReservation ? 1 : 0,
    snapshot.parcel ?? '',
    snapshot.sharesLimit ? 1 : 0,
    variants.join(' '),
    ...(waitlist ? [waitlist.isOpen ? 1 : 0, waitlist.lastPlace, waitlist.graceMs] : []),
  ];
}

function checkSnapshot(snapshot: StockSnapshot): void {
  const { total, available, held, sold, startsAt, endsAt, variants = [] } = snapshot;
  checkStockId(snapshot.saleId);
  checkId('gate', snapshot.gate);
  checkInteger('epoch', snapshot.epoch, 1);
  checkInteger('limit', snapshot.limit, 1, MAX_UNITS_IN_SCRIPTS);
  checkInteger('startsAt', startsAt, 0);
  checkInteger('endsAt', endsAt, 0);
  checkInteger('held', held, 0);
  checkInteger('sold', sold, 0);
  // A sale may be closed before it starts, so its end may lie before its start.
  if (endsAt <= startsAt && !snapshot.closed) throw new RangeError('endsAt must be after startsAt');
  for (const left of variants) checkInteger('variants', left, 0);
  if (variants.length > 0 && variants.reduce((sum, left) => sum + left, 0) !== available)
    throw new RangeError('the variants must add up to available');
  if (total === UNLIMITED && available === UNLIMITED) return;
  checkInteger('total', total, 0);
  checkInteger('available', available, 0);
  if (available + held + sold !== total) throw new RangeError('available + held + sold must be total');
}

async function stageAll(stockId: string, buyers: Buyers): Promise<StagedBuyers> {
  const staging = stageBuyers(stockId);
  for await (const entry of buyers) await staging.add(entry);
  return staging.end();
}

/** Writes buyers ahead of a load of their stock. Each user comes once. */
export function stageBuyers(stockId: string): {
  add(entry: BuyerEntry): Promise<void>;
  end(): Promise<StagedBuyers>;
} {
  const redis = stockRedis();
  const stagedKey = keys.stagedBuyers(stockId, randomUUID());
  let batch: string[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const full = batch;
    batch = [];
    await Promise.all([redis.hset(stagedKey, ...full), redis.expire(stagedKey, STAGED_TTL_SEC)]);
  };
  return {
    async add({ userId, records }) {
      checkId('userId', userId);
      if (records.length === 0) return;
      batch.push(userId, formatBuyerRecords(records));
      if (batch.length >= 2 * BATCH_SIZE) await flush();
    },
    async end() {
      await flush();
      return { stagedKey };
    },
  };
}
