import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { cpuTicks } from '../../../scripts/infra/cpu-ticks.mjs';
import { Problem } from '../../../scripts/infra/problem.mjs';
import { KINDS, type Kind } from '../measurements';

/** Linux counts processor time in hundredths of a second. */
const US_PER_TICK = 10_000;
const IDLE_MS = 1_500;

/** Processor time in µs by kind of process, each with all it has started. */
export type Spent = Record<Kind, number>;
export type ProcessorClock = () => Spent;

/**
 * Reads the processor time of the processes that are measured.
 * @param pids of those of ours; the stores say theirs themselves
 * @throws Problem where there is no /proc
 */
export async function createProcessorClock(pids: Partial<Record<Kind, number>>): Promise<ProcessorClock> {
  const stores = await storePids();
  const all: Partial<Record<Kind, number>> = { ...pids, ...stores };
  return () => {
    const spent = KINDS.map((kind): [Kind, number] => [kind, usOf(all[kind])]);
    return Object.fromEntries(spent) as Spent;
  };
}

/** Returns the processor time of a process and all it has started, in µs. 0 without a process. */
export function usOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const ticks = cpuTicks(pid);
  if (ticks === undefined)
    throw new Problem(
      'Processor times can be measured on Linux only: measure there with --save FILE, and calculate here with --measured FILE.',
    );
  return ticks * US_PER_TICK;
}

/** What was spent between two readings. */
export const minus = (after: Spent, before: Spent): Spent =>
  Object.fromEntries(KINDS.map((kind) => [kind, after[kind] - before[kind]])) as Spent;

/** Measures what the processes take while nothing happens, in µs per ms. */
export async function measureIdle(clock: ProcessorClock): Promise<Spent> {
  const [before, from] = [clock(), performance.now()];
  await delay(IDLE_MS);
  const spent = minus(clock(), before);
  const ms = performance.now() - from;
  return Object.fromEntries(KINDS.map((kind) => [kind, spent[kind] / ms])) as Spent;
}

/** What each of `count` took, beyond what nothing takes. @param ms how long they took together */
export const taken = (spent: Spent, idle: Spent, ms: number, count: number): Spent =>
  Object.fromEntries(
    KINDS.map((kind: Kind) => [kind, Math.max(0, spent[kind] - idle[kind] * ms) / count]),
  ) as Spent;

/** Returns the processes of the stores. */
export const storePids = async () => ({ redis: await redisPid(), postgres: await postgresPid() });

async function redisPid(): Promise<number> {
  return Number(/process_id:(\d+)/.exec(await stockRedis().info('server'))?.[1]);
}

async function postgresPid(): Promise<number> {
  const [row] = await db().$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const stat = readFileSync(`/proc/${row?.pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
