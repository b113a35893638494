import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { isOutage } from '@/lib/errors/is-outage';
import { within } from '@/lib/errors/within';
import { limitMs } from '@/lib/time-limits';
import type { IdFilter } from './id-filter';
import { rebuild } from './rebuild';
import { forgetShared, readShared, type SharedKey } from './shared-level';
import { isUnsynced, sync } from './sync-failures';

const LOCAL_TTL_MS = 1_000;
const LOCAL_MAX = 10_000;
const SHARED_TTL_SEC = 300;
/** The longest time that a load begun before a change can take to reach Redis, added to a copy's time to live. */
const LATE_MS = 30_000;
const POLL_MS = 25;
const POLL_MAX_MS = 500;

type CacheOptions<T> = {
  /** The cache's name, and the kind of its rebuild locks. */
  name: string;
  /** Makes the key with `keys`; its hash tag is the id. */
  key: (id: string) => string;
  /** Loads from the authority; null = no such row. */
  load: (id: string) => Promise<T | null>;
  filter: IdFilter;
};

type Cache<T> = {
  /** Returns what this process knows now (≤ 1 s old); undefined: it would have to ask Redis. */
  peek(id: string): T | null | undefined;
  /**
   * Returns the value from this process (≤ 1 s old), else from Redis, else from the authority. The authority is asked
   * once for all callers in all processes. While none of them answers, returns the last value this process knew.
   * @throws OutageError if it knew none
   */
  find(id: string): Promise<T | null>;
  /**
   * Call it after every change: this process and Redis forget the value at once, the other processes within 1 s. An
   * outage doesn't make it throw.
   */
  forget(id: string): Promise<void>;
  /** Loads the value into Redis and this process ahead of the crowd. */
  warm(id: string): Promise<T | null>;
};

type Entry<T> = { value: T | null };
/** `since`: when it was found, monotonic ms. */
type Known<T> = Entry<T> & { since: number };
type Flight<T> = { result: Promise<Entry<T>> };

/**
 * Makes a cache of rows by id in front of Postgres: a filter of ids, this process, Redis, and one rebuild under a
 * lock. While Redis is down, each process asks Postgres once a second for each id that is wanted.
 */
export function createCache<T extends object>({ name, key, load, filter }: CacheOptions<T>): Cache<T> {
  const local = new LRUCache<string, Entry<T>>({ max: LOCAL_MAX, ttl: LOCAL_TTL_MS });
  /**
   * The last known values. One that is not too old is used when a rebuild in another process hangs; any is used while
   * the authority is away, because nothing changes without it. A change removes them too.
   */
  const last = new LRUCache<string, Known<T>>({ max: LOCAL_MAX });
  /** Ids of values that the last lookup found nowhere else. */
  const unreachable = new Set<string>();
  const flights = new Map<string, Flight<T>>();
  const at = (id: string): SharedKey => ({ key: key(id), lock: `${name}:${id}` });

  /** Makes one lookup per id at a time; callers that come meanwhile share its result. */
  function share(id: string): Promise<Entry<T>> {
    const under = flights.get(id);
    if (under) return under.result;
    const flight: Flight<T> = {
      result: within(limitMs('cacheAnswer'), name, lookUp(id)).catch((error: unknown) =>
        lastKnown(id, error),
      ),
    };
    flights.set(id, flight);
    const end = (entry?: Entry<T>) => {
      // A change came in between: the result may be older than it.
      if (flights.get(id) !== flight) return;
      flights.delete(id);
      if (!entry) return;
      local.set(id, entry);
      if (entry === last.get(id)) return;
      last.set(id, { ...entry, since: performance.now() });
      unreachable.delete(id);
    };
    flight.result.then(end, () => end());
    return flight.result;
  }

  /** @throws the error of the lookup, unless it was an outage and a row is known; one that was missing may be there now */
  function lastKnown(id: string, error: unknown): Known<T> {
    const known = last.get(id);
    if (!known?.value || !isOutage(error)) throw error;
    unreachable.add(id);
    return known;
  }

  async function lookUp(id: string): Promise<Entry<T>> {
    // Redis may hold the value from before a change that could not reach it.
    if (isUnsynced(key(id))) return { value: await load(id) };
    const shared = await readShared<T>(at(id));
    if (shared.status === 'hit') return shared;
    if (shared.status === 'down') return { value: await load(id) };
    const rebuilt = await rebuild(at(id), () => load(id), SHARED_TTL_SEC);
    if (rebuilt.status === 'rebuilt') return rebuilt;
    const other = await waitForOther(id);
    if (other) return other;
    const known = last.get(id);
    const isRecent = known && known.since > performance.now() - SHARED_TTL_SEC * 1_000;
    return isRecent ? { value: known.value } : { value: await load(id) };
  }

  /** Waits while another process rebuilds; that usually takes milliseconds. Null if it takes too long. */
  async function waitForOther(id: string): Promise<Entry<T> | null> {
    for (let waitedMs = 0; waitedMs < POLL_MAX_MS; waitedMs += POLL_MS) {
      await delay(POLL_MS);
      const shared = await readShared<T>(at(id));
      if (shared.status === 'hit') return shared;
      if (shared.status === 'down') return null;
    }
    return null;
  }

  function forgetLocal(id: string): void {
    for (const known of [local, last, unreachable, flights]) known.delete(id);
  }

  return {
    peek: (id) => local.get(id)?.value,
    find: async (id) => {
      const fresh = local.get(id);
      if (fresh) return fresh.value;
      // Not remembered locally: invented ids must not push real ones out.
      if (!(await within(limitMs('cacheAnswer'), name, filter.mayExist(id)))) return null;
      const sharing = share(id);
      // During an outage only the first caller waits until it is clear that this is one.
      const known = unreachable.has(id) ? last.get(id) : undefined;
      return (known ?? (await sharing)).value;
    },
    forget: async (id) => {
      forgetLocal(id);
      await sync({ name: key(id), subject: id }, SHARED_TTL_SEC * 1_000 + LATE_MS, () =>
        forgetShared(at(id)),
      );
      // Once more: until just now a caller could read the old copy from Redis.
      forgetLocal(id);
    },
    warm: async (id) => {
      if (!(await filter.mayExist(id))) return null;
      local.delete(id);
      return (await share(id)).value;
    },
  };
}
