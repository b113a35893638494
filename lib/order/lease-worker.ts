import 'server-only';
import { randomUUID } from 'node:crypto';
import { nowMs } from '@/lib/clock';
import { ORDER_EPOCH_MS, UNLEASED_WORKER } from '@/lib/ids/order-no';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';

/** Numbers from 0 to below this are leased. */
export const LEASED_COUNT = UNLEASED_WORKER;
const LEASE_TTL_MS = 30_000;

/** All 31 worker numbers are taken by live processes. */
export class NoWorkerFreeError extends Error {
  override name = 'NoWorkerFreeError';
  constructor() {
    super(`all ${LEASED_COUNT} worker numbers are in use: no more processes can issue order numbers`);
  }
}

export type WorkerLease = {
  workerId: number;
  /** Order numbers of this lease use moments after this one … */
  startAfterMs: number;
  /** … up to this one. Moves on with every renewal. */
  endMs: () => number;
  /**
   * Keeps the number for another 30 s. @returns false when it was lost; then take another one.
   * @param lastMs the latest moment used.
   */
  renew: (lastMs: number) => Promise<boolean>;
  /** Gives the number back. @param lastMs the latest moment used. */
  release: (lastMs: number) => Promise<void>;
};

/**
 * Leases one of the 31 worker numbers in Redis.
 *
 * What keeps two holders of a number apart is not the lease's TTL but its span of time: before a number is used, Redis
 * has recorded a mark that lies 30 s ahead; a holder uses no moment after its mark, its successor none up to it. So a
 * process that was stopped for minutes, or a clock that runs behind, can't make an order number twice.
 * (Kleppmann, "How to do distributed locking", 2016: a lease needs something the protected resource can check.)
 *
 * @throws NoWorkerFreeError, connection errors.
 */
export async function leaseWorker({
  ttlMs = LEASE_TTL_MS,
  now = nowMs,
}: {
  ttlMs?: number;
  now?: () => number;
} = {}): Promise<WorkerLease> {
  const owner = randomUUID();
  // Starting anywhere keeps processes that start together from queueing for the same number.
  const first = Math.floor(Math.random() * LEASED_COUNT);
  for (let i = 0; i < LEASED_COUNT; i += 1) {
    const workerId = (first + i) % LEASED_COUNT;
    const run = runner(workerId, owner, ttlMs);
    const reply = await run('lease-worker-2', Math.max(now(), ORDER_EPOCH_MS));
    if (reply[0] === 'taken') continue;
    if (reply[0] !== 'leased') throw unknownReply(reply);
    return hold(run, workerId, now, { startAfterMs: Number(reply[1]), firstEndMs: Number(reply[2]) });
  }
  throw new NoWorkerFreeError();
}

type Run = (script: WorkerScript, latestMs: number) => Promise<string[]>;
type WorkerScript = 'lease-worker-2' | 'renew-worker-2' | 'release-worker-2';

function runner(workerId: number, owner: string, ttlMs: number): Run {
  const workerKeys = [keys.worker(workerId), keys.workerMark(workerId)];
  return async (script, latestMs) => {
    // The span is as long as the lease, so that a holder which can't renew loses both at the same time.
    const args = script === 'release-worker-2' ? [owner, latestMs] : [owner, ttlMs, latestMs, ttlMs];
    return runScript(stockRedis(), script, workerKeys, args);
  };
}

function hold(
  run: Run,
  workerId: number,
  now: () => number,
  { startAfterMs, firstEndMs }: { startAfterMs: number; firstEndMs: number },
): WorkerLease {
  let endMs = firstEndMs;
  let isOver = false;
  const end = () => {
    isOver = true;
    endMs = 0;
  };
  return {
    workerId,
    startAfterMs,
    endMs: () => endMs,
    renew: async (lastMs) => {
      const reply = await run('renew-worker-2', Math.max(now(), lastMs));
      if (reply[0] !== 'renewed' && reply[0] !== 'lost') throw unknownReply(reply);
      // A renewal answered after the release must not open the span again.
      if (reply[0] === 'lost' || isOver) {
        end();
        return false;
      }
      endMs = Math.max(endMs, Number(reply[1]));
      return true;
    },
    release: async (lastMs) => {
      end();
      const reply = await run('release-worker-2', lastMs);
      if (reply[0] !== 'released' && reply[0] !== 'lost') throw unknownReply(reply);
    },
  };
}

function unknownReply(reply: readonly string[]): Error {
  return new Error(`a worker script answered ${JSON.stringify(reply)}`);
}
