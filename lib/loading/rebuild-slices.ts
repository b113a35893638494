import 'server-only';
import { rememberAccepted, takeOlder } from '@/lib/accepted/accepted-memory';
import { type Db, db } from '@/lib/db/client';
import { loadDurationMs } from '@/lib/db/transaction-limits';
import { log } from '@/lib/http/log';
import { streamBuyers } from '@/lib/order/records/stream-buyers';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { openSaleIfReachable } from '@/lib/outbox/open-sales';
import { dealLedger, type Ledger, lockLedger, redealLedger } from '@/lib/sale/records/slice-ledger';
import { moveUnits } from '@/lib/slice/move-units';
import { dealUnits } from '@/lib/slice/numbers/deal-units';
import { sliceOf } from '@/lib/slice/numbers/slice-of';
import { stocksOf } from '@/lib/slice/numbers/stock-ids';
import { sliceLimits } from '@/lib/slice/slice-limits';
import { loadStock, stageBuyers } from '@/lib/stock/load-stock';
import { probeStock } from '@/lib/stock/probe-stock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import type { BuyerRecord } from '@/lib/stock/types';
import { withdrawStock } from '@/lib/stock/withdraw-stock';
import type { Sale as SaleRow } from '@/prisma/generated/client';
import { findInFlight } from './find-in-flight';
import { loadAllowances } from './load-allowances';
import { admitInFlight } from './merge-buyers';
import { lastTaken, lockSale, settingsOf } from './sale-row';

/** A slice that is being loaded: under an epoch that only this rebuild has, instead of the one that was there. */
type Lost = {
  slice: number;
  stockId: string;
  epoch: number;
  lostEpoch: number | null;
  remembered: AcceptedOrder[];
};
/**
 * A slice's buyers have more units than the slice may sell: a copy that was older had promised them, or Postgres had given
 * them a unit that was free elsewhere. As long as other slices have any, they must not be sold there.
 */
type Short = { slice: number; units: number };
type Loaded =
  | { status: 'loaded'; inFlight: number }
  | { status: 'overtaken' }
  | ({ status: 'short' } & Short);

/** Bounds the rounds in which units are found for slices that are short of them. */
const MAX_ROUNDS = 8;

/**
 * Loads slices of a split sale into Redis from Postgres, each under a new epoch, like `rebuildStock`, while the others
 * sell on. A slice gets the units that the ledger allows it, less those that its own buyers have or that are on their
 * way to them. So two lost slices need not be loaded at once.
 * @param slices those to load; one that turns out to be loaded is left alone, unless `isBroken`
 * @throws connection errors, StockNotLoadedError; what is not loaded stays closed, the next call starts again
 */
export async function rebuildSlices(
  saleId: string,
  slices: readonly number[],
  isBroken = false,
): Promise<{ status: 'loaded' | 'warm' | 'not_published' }> {
  const claimed = await inTransaction((tx) => claimEpochs(tx, saleId, slices, isBroken));
  if (claimed === 'not_published') return { status: 'not_published' };
  if (claimed.length === 0) return { status: 'warm' };
  for (const one of claimed) one.remembered = takeOlder(one.stockId, one.epoch);
  const startedAt = performance.now();
  const hopeless = new Set<number>();
  let result: Loaded | undefined;
  try {
    for (let round = 1; result?.status !== 'loaded'; round += 1) {
      result = await inTransaction((tx) => load(tx, saleId, claimed, hopeless));
      if (result.status === 'overtaken') break;
      if (result.status === 'short' && !(await makeRoom(saleId, result, round))) hopeless.add(result.slice);
    }
  } finally {
    const isLoaded = result?.status === 'loaded';
    for (const { stockId, epoch, lostEpoch, remembered } of claimed)
      rememberAccepted(stockId, isLoaded ? epoch : (lostEpoch ?? 0), remembered);
  }
  if (result.status !== 'loaded') return { status: 'warm' };
  const epochs = claimed.map(({ epoch }) => epoch);
  const tookMs = Math.round(performance.now() - startedAt);
  log.info(
    { saleId, slices: claimed.map(({ slice }) => slice), epochs, inFlight: result.inFlight, tookMs },
    'slices rebuilt',
  );
  return { status: 'loaded' };
}

const inTransaction = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
  db().$transaction(work, { timeout: loadDurationMs, maxWait: loadDurationMs });

/** Claims an epoch for each slice that Redis does not hold as Postgres knows it. Deals the stock the first time. */
async function claimEpochs(
  tx: Db,
  saleId: string,
  slices: readonly number[],
  isBroken: boolean,
): Promise<Lost[] | 'not_published'> {
  const sale = await lockSale(tx, saleId);
  if (!sale || sale.status === 'draft') return 'not_published';
  await dealLedger(tx, saleId, dealUnits(sale.totalStock, sale.slices));
  const stocks = stocksOf(saleId, sale.slices);
  const epochs = stocks.map((_, slice) => sale.sliceEpochs[slice] ?? 0);
  const claimed: Lost[] = [];
  let highest = sale.epoch;
  for (const slice of slices) {
    const stockId = stocks[slice] as string;
    const probe = await probeStock(stockId);
    if (!isBroken && probe.status === 'loaded' && probe.epoch === epochs[slice]) continue;
    const lostEpoch = probe.status === 'unknown_sale' ? null : probe.epoch;
    highest = Math.max(highest, lostEpoch ?? 0) + 1;
    epochs[slice] = highest;
    claimed.push({ slice, stockId, epoch: highest, lostEpoch, remembered: [] });
  }
  if (claimed.length > 0)
    await tx.sale.update({ where: { id: saleId }, data: { epoch: highest, sliceEpochs: epochs } });
  return claimed;
}

async function load(
  tx: Db,
  saleId: string,
  lost: readonly Lost[],
  hopeless: ReadonlySet<number>,
): Promise<Loaded> {
  const sale = await lockSale(tx, saleId);
  if (!sale || lost.some(({ slice, epoch }) => sale.sliceEpochs[slice] !== epoch))
    return { status: 'overtaken' };
  const inFlight = new Map<number, AcceptedOrder[]>();
  for (const { slice, stockId, lostEpoch, remembered } of lost) {
    await withdrawStock(stockId);
    const isHere = (userId: string) => sliceOf(userId, sale.slices) === slice;
    inFlight.set(
      slice,
      await findInFlight(tx, saleId, { epoch: lostEpoch, remembered, of: { stockId, isHere } }),
    );
  }
  const written = await stageWritten(tx, sale, lost, inFlight);
  // Last of all: while the ledger is locked no units move between the slices that sell.
  const ledger = await lockLedger(tx, saleId);
  if (!ledger) return { status: 'overtaken' };
  const short = findShort(lost, ledger, written, hopeless);
  if (short) return redeal(tx, saleId, short, lost, ledger, written);
  const sharesLimit = await loadAllowances(
    tx,
    sale,
    lost.map(({ stockId }) => stockId),
  );
  for (const one of lost)
    await loadSlice({ ...sale, sharesLimit }, one, ledger, written, inFlight.get(one.slice) ?? []);
  return {
    status: 'loaded',
    inFlight: [...inFlight.values()].reduce((sum, orders) => sum + orders.length, 0),
  };
}

/** The units of a slice's buyers in Postgres, and their records, already written ahead to Redis. */
type Written = {
  held: number;
  sold: number;
  /** Units of purchases on their way. */
  inFlight: number;
  staging: ReturnType<typeof stageBuyers>;
  /** Records of buyers who also have purchases on their way. */
  kept: Map<string, readonly BuyerRecord[]>;
};

/** Reads all buyers once, and stages those of the slices that are loaded. */
async function stageWritten(
  tx: Db,
  sale: SaleRow,
  lost: readonly Lost[],
  inFlight: ReadonlyMap<number, readonly AcceptedOrder[]>,
): Promise<Map<number, Written>> {
  const all = new Map<number, Written>();
  const onTheWay = new Map<string, Set<string>>();
  for (const { slice, stockId } of lost) {
    const orders = inFlight.get(slice) ?? [];
    const units = orders.reduce((sum, { quantity }) => sum + quantity, 0);
    all.set(slice, { held: 0, sold: 0, inFlight: units, staging: stageBuyers(stockId), kept: new Map() });
    for (const { userId, orderNo } of orders)
      onTheWay.set(userId, (onTheWay.get(userId) ?? new Set()).add(orderNo));
  }
  for await (const { userId, records } of streamBuyers(tx, sale.id)) {
    const written = all.get(sliceOf(userId, sale.slices));
    if (!written) continue;
    const theirs = onTheWay.get(userId);
    // An order that ended after it was found on its way counts as on its way: see `mergeBuyers`.
    const own = theirs ? records.filter(({ orderNo }) => !theirs.has(orderNo)) : records;
    for (const { quantity, state } of own) if (state !== 'released') written[state] += quantity;
    if (theirs) written.kept.set(userId, own);
    else await written.staging.add({ userId, records: own });
  }
  return all;
}

/** Returns how many units a slice may still sell; negative: its buyers have more than it may sell. */
function freeOf(slice: number, { totals }: Ledger, written: ReadonlyMap<number, Written>): number {
  const { held = 0, sold = 0, inFlight = 0 } = written.get(slice) ?? {};
  return (totals[slice] ?? 0) - held - sold - inFlight;
}

function findShort(
  lost: readonly Lost[],
  ledger: Ledger,
  written: ReadonlyMap<number, Written>,
  hopeless: ReadonlySet<number>,
): Short | null {
  for (const { slice } of lost) {
    const free = freeOf(slice, ledger, written);
    if (free < 0 && !hopeless.has(slice)) return { slice, units: -free };
  }
  return null;
}

/** Takes what a slice is short of from others that are not loaded either. What is missing then must come from the rest. */
async function redeal(
  tx: Db,
  saleId: string,
  short: Short,
  lost: readonly Lost[],
  ledger: Ledger,
  written: ReadonlyMap<number, Written>,
): Promise<Loaded> {
  let { units } = short;
  for (const { slice } of lost) {
    const free = Math.min(units, freeOf(slice, ledger, written));
    if (slice === short.slice || free <= 0) continue;
    await redealLedger(tx, saleId, { giver: slice, receiver: short.slice, units: free });
    units -= free;
  }
  return { status: 'short', slice: short.slice, units };
}

/**
 * Has units moved to a slice that is about to be loaded: the load counts them in.
 * @returns false if no other slice has any
 */
async function makeRoom(saleId: string, { slice, units }: Short, round: number): Promise<boolean> {
  if (round >= MAX_ROUNDS)
    throw new StockNotLoadedError(`slice ${slice} of ${saleId} is short of ${units} units`);
  if (units === 0) return true;
  const sale = await db().sale.findUniqueOrThrow({ where: { id: saleId }, select: { slices: true } });
  return (await moveUnits({ saleId, stocks: stocksOf(saleId, sale.slices) }, slice, units, true)) !== 'none';
}

async function loadSlice(
  sale: SaleRow & { sharesLimit: boolean },
  { slice, stockId, epoch }: Lost,
  ledger: Ledger,
  all: ReadonlyMap<number, Written>,
  inFlight: readonly AcceptedOrder[],
): Promise<void> {
  const { held, sold, staging, kept } = all.get(slice) as Written;
  if ((ledger.totals[slice] ?? 0) < held + sold)
    throw new StockNotLoadedError(
      `slice ${slice} of ${sale.id} has fewer units than its buyers, and no other has any`,
    );
  const { tiers, byUser } = admitInFlight({ total: ledger.totals[slice] ?? 0, held, sold }, inFlight);
  for (const [userId, records] of byUser)
    await staging.add({ userId, records: [...(kept.get(userId) ?? []), ...records] });
  // Before the slice can sell: the relays then read its purchases whatever fails from here on.
  await openSaleIfReachable(stockId);
  const settings = settingsOf(sale);
  await loadStock({
    saleId: stockId,
    epoch,
    ...settings,
    lastTakenAt: lastTaken(sale, inFlight),
    limits: sliceLimits(settings.limits, sale.slices),
    ...tiers,
    sharesLimit: sale.sharesLimit,
    buyers: await staging.end(),
    // All parcels of before are in the ledger, so they are counted in.
    parcel: ledger.numbers.at(-1),
  });
}
