import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { BloomFilter } from 'bloomfilter';
import { nowMs } from '@/lib/clock';
import { log } from '@/lib/http/log';
import { idTimeMs, lowestIdAt } from './id-time';

/** One false positive in a million: 28.8 bits and 20 hashes per id, 36 kB for the smallest filter. */
const BITS_PER_ID = 28.8;
const HASHES = 20;
const MIN_CAPACITY = 10_000;
const PAGE = 10_000;
/** Longer than it takes until other processes see a row with a new id, clock differences included. */
const SLACK_MS = 60_000;
/** However many unknown young ids are asked for, Postgres is read at most ten times a second. */
const SCAN_INTERVAL_MS = 100;

export type IdFilter = {
  /**
   * False: this id certainly does not exist. True: it exists (wrong once in a million), or it could not be checked.
   * Known or old ids need no round trip; young unknown ones wait for the next read of Postgres.
   */
  mayExist(id: string): boolean | Promise<boolean>;
};

/**
 * Makes a Bloom filter over all ids of one table (Bloom 1970), so that invented ids cost no round trip. New ids need
 * not be reported: an id contains the time it was made. A miss is final only for ids older than the last read of
 * Postgres; a younger id waits for another read.
 *
 * @param prefix of the table's ids, as given to `newId`.
 * @param readIds ids greater than `after`, ascending, at most `limit`.
 */
export function createIdFilter(
  prefix: string,
  readIds: (after: string, limit: number) => Promise<string[]>,
): IdFilter {
  let ids = emptySet(0);
  /** The filter has every id made before this moment, less the slack. */
  let coveredAt = Number.NEGATIVE_INFINITY;
  let startedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function scan(): Promise<void> {
    const now = nowMs();
    const isFirst = coveredAt === Number.NEGATIVE_INFINITY;
    let into = isFirst ? emptySet(0) : ids;
    let after = isFirst ? '' : lowestIdAt(prefix, coveredAt - SLACK_MS);
    for (;;) {
      const page = await readIds(after, PAGE);
      for (const id of page) add(into, id);
      const last = page.at(-1);
      if (into.known > into.capacity) {
        // Starts from the beginning, because a filter can't list its ids; the old one answers until then.
        into = emptySet(into.known * 2);
        after = '';
      } else if (last === undefined || page.length < PAGE) {
        ids = into;
        coveredAt = now;
        return;
      } else {
        after = last;
      }
    }
  }

  /** Waits for a scan that begins after this call: one under way may already have read past the id. */
  function look(): Promise<void> {
    next ??= (async () => {
      await running?.catch(() => undefined);
      const waitMs = startedAt + SCAN_INTERVAL_MS - performance.now();
      if (waitMs > 0) await delay(waitMs);
      next = undefined;
      startedAt = performance.now();
      running = scan();
      await running;
    })();
    return next;
  }

  async function ask(id: string): Promise<boolean> {
    try {
      await look();
      return ids.bloom.test(id);
    } catch (error) {
      log.warn({ prefix, err: error }, 'the filter of ids could not be brought up to date');
      return true;
    }
  }

  return {
    mayExist: (id) => {
      if (coveredAt === Number.NEGATIVE_INFINITY) return ask(id);
      if (ids.bloom.test(id)) return true;
      const madeAt = idTimeMs(id);
      return madeAt === null || madeAt < coveredAt - SLACK_MS ? false : ask(id);
    },
  };
}

type IdSet = { bloom: BloomFilter; capacity: number; known: number };

function emptySet(wanted: number): IdSet {
  const capacity = Math.max(MIN_CAPACITY, wanted);
  return { bloom: new BloomFilter(Math.ceil(capacity * BITS_PER_ID), HASHES), capacity, known: 0 };
}

function add(set: IdSet, id: string): void {
  if (set.bloom.test(id)) return;
  set.bloom.add(id);
  set.known += 1;
}
