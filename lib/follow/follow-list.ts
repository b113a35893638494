import { processWide } from '@/lib/process-wide';
import 'server-only';
import { nowMs } from '@/lib/clock';
import { within } from '@/lib/errors/within';
import { log } from '@/lib/http/log';
import { stockRedis } from '@/lib/redis/client';
import { subscribe } from '@/lib/redis/subscribe';
import { limitMs } from '@/lib/time-limits';

/**
 * How often the list is read. A change must be in force everywhere within 1 s, also if no message arrives: half of
 * that for waiting, half for reading.
 */
const REFRESH_EVERY_MS = 500;
const SWEEP_EVERY_MS = 60_000;

/** A list in Postgres whose changes have rising numbers that commit in their order, with the ways to keep it in memory. */
type ListSource<M, C> = {
  /** One word, for logs and for the name under which this process keeps the list. */
  name: string;
  /** The Redis channel on which a change is announced. */
  channel: string;
  createMemory: () => M;
  /** Reads the list's present mark. Reading on from here misses no later change. */
  readMark: () => Promise<bigint>;
  /** Reads the entries in force at a mark, in pages. */
  streamLive: (mark: bigint) => AsyncIterable<C[]>;
  /** Reads the changes after a mark, in order, in pages, each with the mark to go on from. */
  streamChanges: (mark: bigint) => AsyncIterable<{ changes: C[]; mark: bigint }>;
  take: (memory: M, changes: readonly C[]) => void;
  /** Forgets entries that no longer matter. */
  sweep: (memory: M, nowMs: number) => void;
};

type FollowedList<M> = {
  /** Returns what this process knows; undefined until `watch` is called. */
  known: () => M | undefined;
  /** Tells whether what is known was read; false: it is empty until Postgres can be reached. */
  isRead: () => boolean;
  /**
   * Starts to keep the list in this process's memory: reads it from Postgres at once, then twice a second and
   * whenever a change is announced. If Postgres can't be reached, the known list stays in force. Cheap to call again.
   * @returns when the list has been read, or could not be, or 10 s have passed; it tries again in any case.
   */
  watch: () => Promise<void>;
  /** Stops what `watch` began. Call it before the process closes its connections. */
  stop: () => void;
  /**
   * Tells every process that the list in Postgres changed. This process knows the change when the call returns, the
   * others within milliseconds. Never fails: a process that misses the message reads the list itself within half a
   * second.
   */
  announce: () => Promise<void>;
};

type Watch<M> = {
  memory: M;
  /** Up to which mark the list is in memory; undefined: not read yet. */
  mark?: bigint;
  /** Counts readings: a reading that was given up must change nothing any more. */
  turn: number;
  /** The reading under way, and the one that starts after it. */
  running?: Promise<void>;
  queued?: Promise<void>;
  isFailing: boolean;
  timers: NodeJS.Timeout[];
};

const lists = processWide('lists', (): Record<string, Watch<unknown>> => ({}));

/** Reads the list on from where it is in memory, at first from its beginning. A reading that was given up changes nothing. */
async function readOn<M, C>(source: ListSource<M, C>, watch: Watch<M>, turn: number): Promise<void> {
  if (watch.mark === undefined) {
    const mark = await source.readMark();
    const memory = source.createMemory();
    for await (const changes of source.streamLive(mark)) source.take(memory, changes);
    if (watch.turn !== turn) return;
    Object.assign(watch, { memory, mark });
  }
  for await (const { changes, mark } of source.streamChanges(watch.mark ?? 0n)) {
    if (watch.turn !== turn) return;
    source.take(watch.memory, changes);
    watch.mark = mark;
  }
}

/** Lets every process keep a list from Postgres in its memory, to look it up at every purchase. */
export function followList<M, C>(source: ListSource<M, C>): FollowedList<M> {
  const { name, channel } = source;
  const current = () => lists[name] as Watch<M> | undefined;

  /** One reading at a time. A request made during a reading is answered by the next one, which starts later. */
  const refresh = (watch: Watch<M>): Promise<void> => {
    watch.queued ??= Promise.resolve(watch.running).then(async () => {
      watch.running = watch.queued;
      watch.queued = undefined;
      await read(watch);
      watch.running = undefined;
    });
    return watch.queued;
  };

  const read = async (watch: Watch<M>): Promise<void> => {
    watch.turn += 1;
    try {
      // A longer one hangs: it is given up and started again.
      const patience = limitMs(watch.mark === undefined ? 'listFirst' : 'listNext');
      await within(patience, `the list ${name}`, readOn(source, watch, watch.turn));
      watch.isFailing = false;
    } catch (err) {
      // Do not log every attempt: there are two a second.
      if (!watch.isFailing)
        log.warn({ err, list: name }, 'a list could not be read; what is known stays in force');
      watch.isFailing = true;
    }
  };

  return {
    known: () => current()?.memory,
    isRead: () => current()?.mark !== undefined,
    async watch() {
      if (current()) return;
      const watch: Watch<M> = { memory: source.createMemory(), turn: 0, isFailing: false, timers: [] };
      lists[name] = watch;
      subscribe(channel, { onMessage: () => void refresh(watch) });
      watch.timers.push(
        setInterval(() => watch.running ?? refresh(watch), REFRESH_EVERY_MS).unref(),
        setInterval(() => source.sweep(watch.memory, nowMs()), SWEEP_EVERY_MS).unref(),
      );
      await within(limitMs('listStart'), `the list ${name}`, refresh(watch)).catch((err: unknown) =>
        log.warn({ err, list: name }, 'started without a list'),
      );
    },
    stop() {
      for (const timer of current()?.timers ?? []) clearInterval(timer);
      delete lists[name];
    },
    async announce() {
      const watch = current();
      const told = stockRedis()
        .publish(channel, '')
        .catch(() => 0);
      if (watch) await refresh(watch);
      await told;
    },
  };
}
