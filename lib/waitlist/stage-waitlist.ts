import 'server-only';
import type { Db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { readLastPlace, readWaiting } from './read-waiting';

const PAGE = 2_000;
/** If a rebuild dies halfway, what it has staged remains in Redis. It expires after this time. */
const STAGED_TTL_SEC = 3_600;

/**
 * Writes into Redis who waits, as Postgres knows it, except for those whose purchase is on its way to become an order: under
 * keys of its own, for the load to swap in. A rebuild that was overtaken, or a command of it that arrives late, so changes
 * nothing of what the later one has loaded.
 * @param epoch of the rebuild, which no other has
 * @param onTheirWay numbers of orders that Postgres does not have yet
 * @returns also the highest number that was ever given. @throws connection errors
 */
export async function stageWaitlist(
  tx: Db,
  { saleId, epoch }: { saleId: string; epoch: number },
  onTheirWay: ReadonlySet<string>,
): Promise<{ lastPlace: number; staged: { waitlistKey: string; placesKey: string } }> {
  const redis = stockRedis();
  const waitlistKey = keys.stagedWaitlist(saleId, String(epoch));
  const placesKey = keys.stagedPlaces(saleId, String(epoch));
  for (let after = 0n; ; ) {
    const page = await readWaiting(tx, saleId, after, PAGE);
    const waiting = page.filter(({ orderNo }) => !onTheirWay.has(orderNo));
    if (waiting.length > 0) {
      await redis.hset(
        placesKey,
        ...waiting.flatMap(({ number, userId, jti, orderNo }) => [userId, `${number},${jti},${orderNo},w`]),
      );
      await redis.zadd(waitlistKey, ...waiting.flatMap(({ number, userId }) => [String(number), userId]));
      await Promise.all([waitlistKey, placesKey].map((key) => redis.expire(key, STAGED_TTL_SEC)));
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = last.number;
  }
  return { lastPlace: await readLastPlace(tx, saleId), staged: { waitlistKey, placesKey } };
}
