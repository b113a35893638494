import 'server-only';
import { randomUUID } from 'node:crypto';
import { nowMs } from '@/lib/clock';
import { isOutage } from '@/lib/errors/is-outage';
import { OutageError } from '@/lib/errors/outage-error';
import { ORDER_EPOCH_MS, SEQUENCE_COUNT } from '@/lib/ids/order-no';
import { serverOf } from '@/lib/redis/ask-server-of';
import { stockRedis } from '@/lib/redis/client';
import { isCluster } from '@/lib/redis/connection';
import { keys } from '@/lib/redis/keys';
import { type HeldPart, leasePart } from './lease-part';

/** A process that has lost its lease issues no number for longer. */
export const LEASE_TTL_MS = 30_000;
/** Each server of a cluster that is away costs about a second. */
const MAX_SERVERS_AWAY = 2;

/**
 * How many parts each range of worker numbers is split into; a process takes the first free part. The first few
 * processes have all 128 numbers of a millisecond each, the next ones 16, the rest one. A process with one runs ahead
 * of the clock when it sells more than 1,000 a second.
 */
const SPLITS = [
  { from: 0, to: 9, parts: 1 },
  { from: 10, to: 15, parts: 8 },
  { from: 16, to: 30, parts: 128 },
] as const;

/** A worker number, and the sequence numbers of it that a process has. */
type Cell = { workerId: number; sequences: { first: number; count: number } };

/** A part of a worker number for which this process may issue order numbers. Times in epoch ms. */
export type WorkerLease = Cell & {
  /** Order numbers of this lease use moments after this one … */
  startAfterMs: number;
  /** … up to this one. Moves on with every renewal. */
  endMs: () => number;
  /**
   * Keeps the lease for another 30 s. @returns false when it was lost; then take another one.
   * @param lastMs the latest moment used.
   */
  renew: (lastMs: number) => Promise<boolean>;
  /** Gives the lease back. @param lastMs the latest moment used. */
  release: (lastMs: number) => Promise<void>;
};

/** How many processes can have order numbers at the same time. */
export const LEASE_COUNT = SPLITS.reduce((sum, { from, to, parts }) => sum + (to - from + 1) * parts, 0);

/** Thrown when live processes hold every part of every worker number, or may do so. */
export class NoWorkerFreeError extends OutageError {
  override name = 'NoWorkerFreeError';
  /** @param restMs for how long the process refuses purchases at once, before it asks again */
  constructor(
    why = `all ${LEASE_COUNT} leases are in use: no more processes can issue order numbers`,
    readonly restMs = 1_000,
  ) {
    super(why);
  }
}

/**
 * Leases a part of a worker number in Redis; passes over a server that is away. Before a number is used, Redis
 * has recorded a mark 30 s ahead. A holder uses no moment after it, its successor none before it. So neither a stopped
 * process nor a slow clock makes an order number twice (Kleppmann 2016).
 * @param before the lease that this process lost: its part is asked for first. If Redis has lost all marks, another part
 *   may be in use
 * @throws NoWorkerFreeError, connection errors.
 */
export async function leaseWorker({
  ttlMs = LEASE_TTL_MS,
  now = nowMs,
  before,
}: {
  ttlMs?: number;
  now?: () => number;
  before?: Cell | undefined;
} = {}): Promise<WorkerLease> {
  const claim = { owner: randomUUID(), ttlMs };
  const away = new Set<string>();
  for (const { workerId, part } of candidates(before)) {
    const server = serverOf(stockRedis(), keys.worker(workerId));
    if (away.has(server)) continue;
    const held = await leasePart(workerId, claim, part, Math.max(now(), ORDER_EPOCH_MS)).catch((error) => {
      if (!isOutage(error) || !isCluster(stockRedis()) || away.size >= MAX_SERVERS_AWAY) throw error;
      away.add(server);
      return null;
    });
    if (held) return toLease(workerId, held, SEQUENCE_COUNT / part.count, now);
  }
  throw new NoWorkerFreeError();
}

/** Lists the parts to ask for, the one that was lost first. A random start keeps processes from queueing for the same number. */
function* candidates(lost?: Cell): Generator<{ workerId: number; part: { count: number; first: number } }> {
  if (lost) {
    const { first, count } = lost.sequences;
    yield { workerId: lost.workerId, part: { count: SEQUENCE_COUNT / count, first: first / count } };
  }
  for (const { from, to, parts } of SPLITS) {
    const count = to - from + 1;
    const first = anyOf(count);
    for (let i = 0; i < count; i += 1)
      yield { workerId: from + ((first + i) % count), part: { count: parts, first: anyOf(parts) } };
  }
}

const anyOf = (count: number): number => Math.floor(Math.random() * count);

function toLease(workerId: number, held: HeldPart, count: number, now: () => number): WorkerLease {
  let { endMs } = held;
  let isOver = false;
  const end = () => {
    isOver = true;
    endMs = 0;
  };
  return {
    workerId,
    sequences: { first: held.part * count, count },
    startAfterMs: held.startAfterMs,
    endMs: () => endMs,
    renew: async (lastMs) => {
      const renewed = await held.renew(Math.max(now(), lastMs));
      // If a renewal is answered after the release, it must not open the span again.
      if (renewed === null || isOver) {
        end();
        return false;
      }
      endMs = Math.max(endMs, renewed);
      return true;
    },
    release: async (lastMs) => {
      end();
      await held.release(lastMs);
    },
  };
}
