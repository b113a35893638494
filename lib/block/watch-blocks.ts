import 'server-only';
import { nowMs } from '@/lib/clock';
import { log } from '@/lib/http/log';
import { within } from '@/lib/outbox/within';
import { stockRedis } from '@/lib/redis/client';
import { channels } from '@/lib/redis/keys';
import { subscribe } from '@/lib/redis/subscribe';
import { type BlockChange, type BlockMemory, createBlockMemory } from './block-memory';
import { readMark, streamChanges, streamLive } from './read-changes';

/** The list is in force everywhere within 1 s, also if no message arrives: half of that for waiting, half for reading. */
const REFRESH_EVERY_MS = 500;
const SWEEP_EVERY_MS = 60_000;
/** A reading that is not over by then has hung: it is given up and begun again. */
const READ_WITHIN_MS = { first: 60_000, next: 5_000 };
/** A process that starts waits no longer for its first reading. */
const START_WITHIN_MS = 10_000;

type Watch = {
  memory: BlockMemory;
  /** Up to where the list is in memory; undefined: not read yet. */
  mark?: bigint;
  /** Counts readings: one that was given up must change nothing any more. */
  turn: number;
  /** The reading under way, and the one that begins after it. */
  running?: Promise<void>;
  queued?: Promise<void>;
  isFailing: boolean;
  timers: NodeJS.Timeout[];
};

// The web process holds this module twice (fast lane and Next's bundle).
const holder = globalThis as typeof globalThis & { seckillBlocks?: Watch };

/** What this process knows of the blocklist; undefined while nobody has called `watchBlocks`. */
export const knownBlocks = (): BlockMemory | undefined => holder.seckillBlocks?.memory;

/**
 * From now on keeps the blocklist in this process's memory: read from Postgres at once, then twice a second and whenever
 * a change is announced. An unreachable Postgres leaves what is known in force. Cheap to call again.
 * @returns when the list has been read, or could not be, or 10 s have passed; it is tried again all the same.
 */
export async function watchBlocks(): Promise<void> {
  if (holder.seckillBlocks) return;
  const watch: Watch = { memory: createBlockMemory(), turn: 0, isFailing: false, timers: [] };
  holder.seckillBlocks = watch;
  subscribe(channels.blocksChanged, { onMessage: () => void refresh(watch) });
  watch.timers.push(
    setInterval(() => watch.running ?? refresh(watch), REFRESH_EVERY_MS).unref(),
    setInterval(() => watch.memory.sweep(nowMs()), SWEEP_EVERY_MS).unref(),
  );
  await within(START_WITHIN_MS, 'the blocklist', refresh(watch)).catch((err: unknown) =>
    log.warn({ err }, 'started without the blocklist'),
  );
}

/** Ends what `watchBlocks` began; before the process closes its connections. */
export function stopWatchingBlocks(): void {
  for (const timer of holder.seckillBlocks?.timers ?? []) clearInterval(timer);
  holder.seckillBlocks = undefined;
}

/**
 * Tells every process that the list in Postgres changed. This one knows the change when this returns, the others within
 * milliseconds. Never fails: whoever is not reached by the message looks for himself within half a second.
 */
export async function announceBlocks(): Promise<void> {
  const watch = holder.seckillBlocks;
  const told = stockRedis()
    .publish(channels.blocksChanged, '')
    .catch(() => 0);
  if (watch) await refresh(watch);
  await told;
}

/** One reading at a time; what was asked for while one is under way is answered by the next, which begins later. */
function refresh(watch: Watch): Promise<void> {
  watch.queued ??= Promise.resolve(watch.running).then(async () => {
    watch.running = watch.queued;
    watch.queued = undefined;
    await read(watch);
    watch.running = undefined;
  });
  return watch.queued;
}

async function read(watch: Watch): Promise<void> {
  watch.turn += 1;
  const isFirst = watch.mark === undefined;
  try {
    await within(READ_WITHIN_MS[isFirst ? 'first' : 'next'], 'the blocklist', readOn(watch, watch.turn));
    watch.isFailing = false;
  } catch (err) {
    // Not at every attempt: there are two a second.
    if (!watch.isFailing) log.warn({ err }, 'the blocklist could not be read; what is known stays in force');
    watch.isFailing = true;
  }
}

async function readOn(watch: Watch, turn: number): Promise<void> {
  if (watch.mark === undefined) {
    const mark = await readMark();
    const memory = createBlockMemory();
    for await (const changes of streamLive(mark)) take(memory, changes);
    if (watch.turn !== turn) return;
    Object.assign(watch, { memory, mark });
  }
  for await (const { changes, mark } of streamChanges(watch.mark ?? 0n)) {
    if (watch.turn !== turn) return;
    take(watch.memory, changes);
    watch.mark = mark;
  }
}

function take(memory: BlockMemory, changes: BlockChange[]): void {
  const left = changes.filter((change) => !memory.apply(change)).length;
  if (left > 0) log.error({ left, size: memory.size }, 'the blocklist is full: new blocks are not in force');
}
