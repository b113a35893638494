import 'server-only';
import { cacheRedis } from '@/lib/redis/client';
import type { LimitAlgorithm, LimitPolicy } from '@/lib/redis/limit-policy';
import { runScriptAtOnce, type ScriptName } from '@/lib/redis/run-script';

const SCRIPTS: Record<LimitAlgorithm, ScriptName> = {
  'fixed-window': 'limit-fixed-window-n',
  'sliding-window': 'limit-sliding-window-n',
  'token-bucket': 'limit-token-bucket-n',
  'leaky-bucket': 'limit-leaky-bucket-n',
};

/**
 * Counts one call for each key, one after the other, in one script call: exact, however many processes ask at the same
 * time. By the clock of the Redis that holds cache and locks, apart from the stock.
 * @param keys from `keys.limit`, of one sale; 1 to 100 of them
 * @returns for each key how long to wait, in ms; 0 = let through
 * @throws connection errors
 */
export async function countCalls(policy: LimitPolicy, keys: readonly string[]): Promise<number[]> {
  const script = SCRIPTS[policy.algorithm];
  const reply = await runScriptAtOnce(cacheRedis(), script, keys, [policy.limit, policy.windowSec * 1000]);
  const lines = reply.split('\n');
  if (lines.length !== keys.length)
    throw new Error(`${script} gave ${lines.length} replies to ${keys.length}`);
  return lines.map((line) => {
    const [status, waitMs] = line.split(' ');
    if (status === 'admitted') return 0;
    if (status === 'refused' && Number.isSafeInteger(Number(waitMs))) return Number(waitMs);
    throw new Error(`${script} answered ${JSON.stringify(line)}`);
  });
}
