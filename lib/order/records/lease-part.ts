import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { unknownReply } from '@/lib/redis/parse-reply';
import { runScript } from '@/lib/redis/run-script';

/**
 * The owner of a lease and its length, ms. The length is that of the lease and of the span of time alike, so that a
 * process that can't renew loses both at once.
 */
type Claim = { owner: string; ttlMs: number };

/** A part of a worker number as Redis has it. Times in epoch ms. */
export type HeldPart = {
  part: number;
  /** Order numbers of this lease use moments after this one … */
  startAfterMs: number;
  /** … up to this one. */
  endMs: number;
  /** Renews it. @param latestMs the latest moment used, or now. @returns the new end, null when it was lost. */
  renew: (latestMs: number) => Promise<number | null>;
  /** Gives it back. @param lastMs the latest moment used. */
  release: (lastMs: number) => Promise<void>;
};

/**
 * Tries to lease a part of a worker number. The span of time keeps its holders apart. The number's own key keeps other
 * processes from splitting it otherwise.
 * @param part `count` how many parts the number is split into, 1 for the whole; `first` the one to look at first
 * @param now epoch ms
 * @returns null if all are taken, or the number is split into other parts. @throws connection errors.
 */
export async function leasePart(
  workerId: number,
  { owner, ttlMs }: Claim,
  { count, first }: { count: number; first: number },
  now: number,
): Promise<HeldPart | null> {
  const [worker, mark, parts] = [
    keys.worker(workerId),
    keys.workerMark(workerId),
    keys.workerParts(workerId),
  ];
  const all = [worker, mark, parts];
  const leased = await runScript(stockRedis(), 'lease-part-3', all, [owner, ttlMs, now, ttlMs, count, first]);
  if (leased[0] === 'taken') return null;
  if (leased[0] !== 'leased') throw unknownReply('lease-part-3', leased);
  const own = Number(leased[1]);
  return {
    part: own,
    startAfterMs: Number(leased[2]),
    endMs: Number(leased[3]),
    renew: async (latestMs) => {
      const reply = await runScript(stockRedis(), 'renew-part-3', all, [owner, ttlMs, latestMs, ttlMs, own]);
      if (reply[0] === 'renewed') return Number(reply[1]);
      if (reply[0] === 'lost') return null;
      throw unknownReply('renew-part-3', reply);
    },
    release: async (lastMs) => {
      const reply = await runScript(stockRedis(), 'release-part-2', [worker, parts], [owner, lastMs, own]);
      if (reply[0] !== 'released' && reply[0] !== 'lost') throw unknownReply('release-part-2', reply);
    },
  };
}
