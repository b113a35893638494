import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';
import { type Claim, type Holding, unknownReply } from './worker-lease';

/**
 * Tries to lease a part of a worker number. As with a whole number, the span of time keeps its holders apart. The
 * number's own key keeps other processes from leasing the whole.
 * @param part `count` how many parts the number is split into, `first` the one to look at first. @param now epoch ms.
 * @returns null if all are taken, or another process has the whole number. @throws connection errors.
 */
export async function leasePart(
  workerId: number,
  { owner, ttlMs }: Claim,
  part: { count: number; first: number },
  now: number,
): Promise<(Holding & { part: number }) | null> {
  const [worker, mark, parts] = [
    keys.worker(workerId),
    keys.workerMark(workerId),
    keys.workerParts(workerId),
  ];
  const threeKeys = [worker, mark, parts];
  const leased = await runScript(stockRedis(), 'lease-part-3', threeKeys, [
    owner,
    ttlMs,
    now,
    ttlMs,
    part.count,
    part.first,
  ]);
  if (leased[0] === 'taken') return null;
  if (leased[0] !== 'leased') throw unknownReply(leased);
  const own = Number(leased[1]);
  return {
    part: own,
    startAfterMs: Number(leased[2]),
    endMs: Number(leased[3]),
    renew: async (latestMs) => {
      const reply = await runScript(stockRedis(), 'renew-part-3', threeKeys, [
        owner,
        ttlMs,
        latestMs,
        ttlMs,
        own,
      ]);
      if (reply[0] === 'renewed') return Number(reply[1]);
      if (reply[0] === 'lost') return null;
      throw unknownReply(reply);
    },
    release: async (lastMs) => {
      const reply = await runScript(stockRedis(), 'release-part-2', [worker, parts], [owner, lastMs, own]);
      if (reply[0] !== 'released' && reply[0] !== 'lost') throw unknownReply(reply);
    },
  };
}
