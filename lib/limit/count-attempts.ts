import 'server-only';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { cacheRedis } from '@/lib/redis/client';
import { formatLimits, LIMIT_SCOPES, type RateLimited } from '@/lib/redis/limit-policy';
import { parseRateLimited } from '@/lib/redis/parse-rate-limited';
import { runScriptAtOnce } from '@/lib/redis/run-script';
import type { Attempt } from './count-attempt';

const SCRIPT = 'limit-n';

/**
 * Counts attempts, one after the other, in one script call: exact, however many processes ask at the same time. Uses
 * the clock of the Redis that holds cache and locks, not of the stock's.
 * @param attempts with keys from `keys.limit`, all of one sale; 1 to 100 of them, each with a key at least
 * @returns for each the limit it met; null = let through
 * @throws connection errors
 */
export async function countAttempts(
  limits: SaleLimits,
  attempts: readonly Attempt[],
): Promise<(RateLimited | null)[]> {
  const places = new Map<string, number>();
  const placeOf = (key: string | undefined): number => {
    if (key === undefined) return 0;
    if (!places.has(key)) places.set(key, places.size + 1);
    return places.get(key) ?? 0;
  };
  const args = attempts.flatMap((attempt) => LIMIT_SCOPES.map((scope) => placeOf(attempt[scope])));
  const reply = await runScriptAtOnce(
    cacheRedis(),
    SCRIPT,
    [...places.keys()],
    [formatLimits(limits), ...args],
  );
  const lines = reply.split('\n');
  if (lines.length !== attempts.length)
    throw new Error(`${SCRIPT} gave ${lines.length} replies to ${attempts.length}`);
  return lines.map((line) => {
    const words = line.split(' ');
    switch (words[0]) {
      case 'admitted':
        return null;
      case 'rate_limited':
        return parseRateLimited(SCRIPT, words);
      default:
        throw new Error(`${SCRIPT} answered ${JSON.stringify(line)}`);
    }
  });
}
