import 'server-only';
import { LRUCache } from 'lru-cache';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { countFailedSearch } from '@/lib/metrics/slice-meter';
import { sliceNumberOf, stocksOf } from '@/lib/slice/numbers/stock-ids';
import type { SliceStock } from '@/lib/stock/read-slice';
import { moveUnits } from './move-units';
import { readSlices } from './read-slices';

/**
 * `moved`: the slice has more units than before, or enough. `none`: all slices together have only so many, and none are on
 * their way. `busy`: it can't be said just now.
 */
type Found = { status: 'moved' | 'busy' } | { status: 'none'; available: number };
type Need = { saleId: string; slices: number; stockId: string; wanted: number };

/** At most so often units are moved to a slice by this process, ms. */
const MOVE_EVERY_MS = 10;

type Search = { running?: Promise<Found>; next?: Promise<Found> };
const searches = new Map<string, Search>();
/** Slices to which this process has just moved units. */
const served = new LRUCache<string, true>({ max: 10_000, ttl: MOVE_EVERY_MS });

/**
 * Finds units for a slice that has too few of them for a purchase: moves some there if others have any. Everybody who
 * asks for the same at the same time shares a search, but only one that begins after they asked: an earlier one may have
 * looked before there were any.
 */
export async function bringUnits(need: Need): Promise<Found> {
  const name = `${need.stockId} ${need.wanted}`;
  let search = searches.get(name);
  if (!search) {
    search = {};
    searches.set(name, search);
  }
  if (search.running) {
    search.next ??= follow(name, search, need);
    return search.next;
  }
  return begin(name, search, need);
}

async function follow(name: string, search: Search, need: Need): Promise<Found> {
  await search.running?.catch(() => undefined);
  search.next = undefined;
  return begin(name, search, need);
}

function begin(name: string, search: Search, need: Need): Promise<Found> {
  const running = find(need).finally(() => {
    if (search.running === running) search.running = undefined;
    if (!search.running && !search.next) searches.delete(name);
  });
  search.running = running;
  return running;
}

async function find(need: Need): Promise<Found> {
  const found = await look(need);
  if (found.status === 'busy') countFailedSearch(need.saleId);
  return found;
}

async function look({ saleId, slices, stockId, wanted }: Need): Promise<Found> {
  const stocks = stocksOf(saleId, slices);
  const to = sliceNumberOf(stockId);
  const first = await readSlices(stocks);
  if ((first[to]?.available ?? 0) >= wanted) return { status: 'moved' };
  if (isShort(first, wanted)) {
    // Units that moved on between two readings would be in neither: only if nothing moved they are nowhere.
    const second = await readSlices(stocks);
    if (isShort(second, wanted) && second.every((slice, at) => isUnmoved(slice, first[at])))
      return { status: 'none', available: unitsOf(second) };
  }
  if (served.has(stockId)) return { status: 'busy' };
  try {
    const status = await moveUnits({ saleId, stocks }, to, wanted);
    if (status === 'moved') served.set(stockId, true);
    return { status: status === 'moved' ? 'moved' : 'busy' };
  } catch (err) {
    if (!isOutage(err)) throw err;
    // No units move while Postgres is away: those of other slices are sold there.
    log.warn({ saleId, stockId, err }, 'units of other slices can not be moved now');
    return { status: 'busy' };
  }
}

const unitsOf = (slices: readonly (SliceStock | null)[]): number =>
  slices.reduce((units, slice) => units + (slice?.available ?? 0), 0);

/** Tells whether all slices could be read, together have fewer units, and have none on their way. */
const isShort = (slices: readonly (SliceStock | null)[], wanted: number): boolean =>
  slices.every((slice) => slice?.sent === 0) && unitsOf(slices) < wanted;

const isUnmoved = (now: SliceStock | null, before: SliceStock | null | undefined): boolean =>
  now?.taken === before?.taken && now?.given === before?.given && now?.epoch === before?.epoch;
