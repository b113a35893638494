import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';
import { type Claim, type Holding, unknownReply } from './worker-lease';

/**
 * Tries to lease a whole worker number. @param now epoch ms.
 * @returns null if another process has it, or a part of it. @throws connection errors.
 */
export async function leaseNumber(
  workerId: number,
  { owner, ttlMs }: Claim,
  now: number,
): Promise<Holding | null> {
  const both = [keys.worker(workerId), keys.workerMark(workerId)];
  const leased = await runScript(stockRedis(), 'lease-worker-2', both, [owner, ttlMs, now, ttlMs]);
  if (leased[0] === 'taken') return null;
  if (leased[0] !== 'leased') throw unknownReply(leased);
  return {
    startAfterMs: Number(leased[1]),
    endMs: Number(leased[2]),
    renew: async (latestMs) => {
      const reply = await runScript(stockRedis(), 'renew-worker-2', both, [owner, ttlMs, latestMs, ttlMs]);
      if (reply[0] === 'renewed') return Number(reply[1]);
      if (reply[0] === 'lost') return null;
      throw unknownReply(reply);
    },
    release: async (lastMs) => {
      const reply = await runScript(stockRedis(), 'release-worker-2', both, [owner, lastMs]);
      if (reply[0] !== 'released' && reply[0] !== 'lost') throw unknownReply(reply);
    },
  };
}
