import 'server-only';
import { db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { decodeOrderNo, UNLEASED_WORKER } from '@/lib/ids/order-no';
import { SHARD_COUNT } from '@/lib/ids/shard-of';
import { stockRedis } from '@/lib/redis/client';
import { isCluster } from '@/lib/redis/connection';
import { keys } from '@/lib/redis/keys';
import { LEASE_TTL_MS } from './lease-worker';

/**
 * Tells whether Redis may have lost leases of worker numbers that other processes still use: an order in Postgres is later
 * than the mark of its worker number, or a process has noticed it within the last 30 s. Without Postgres, whether there is
 * no mark at all.
 * @throws connection errors
 */
export async function areLeasesLost(): Promise<boolean> {
  const redis = stockRedis();
  if (await redis.exists(keys.workersLost())) return true;
  const marks = await Promise.all(
    Array.from({ length: UNLEASED_WORKER }, (_, workerId) =>
      redis.get(keys.workerMark(workerId)).catch((error: unknown) => {
        // The numbers of such a server are passed over.
        if (isOutage(error) && isCluster(redis)) return Infinity;
        throw error;
      }),
    ),
  );
  const newest = await findNewest().catch((error: unknown) => {
    if (isOutage(error)) return null;
    throw error;
  });
  if (!newest) return marks.every((mark) => mark === null);
  return newest.some(({ id }) => {
    const { workerId, atMs } = decodeOrderNo(id);
    return workerId !== UNLEASED_WORKER && atMs > Number(marks[workerId] ?? 0);
  });
}

/** Says for 30 s that Redis has lost leases, to processes that start. */
export const noteLostLeases = (): Promise<unknown> =>
  stockRedis().set(keys.workersLost(), '1', 'PX', LEASE_TTL_MS);

/** Returns the latest order of each shard. Each is read off the index. */
const findNewest = () => db().$queryRaw<{ id: bigint }[]>`
  SELECT newest.id FROM generate_series(0, ${SHARD_COUNT - 1}::int) AS s (shard), LATERAL (
    SELECT id FROM orders WHERE orders.shard = s.shard::smallint ORDER BY id DESC LIMIT 1) newest`;
