import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { deleteInBatches } from '@/lib/db/delete-in-batches';
import { env } from '@/lib/env';
import { shardOf } from '@/lib/ids/shard-of';

const BATCH = 5_000;
const ROUNDS = 100;

/**
 * Forgets, within the deletion of an account, what it keeps and where its orders went; not of paid orders that are still to
 * be shipped, which the shop needs. Those are forgotten when they are shipped, or refunded.
 */
export async function forgetAddressesOf(tx: Db, userId: string): Promise<void> {
  await tx.savedAddress.deleteMany({ where: { userId } });
  await tx.$executeRaw`
    UPDATE deliveries d SET address = NULL
    FROM orders o
    WHERE o.shard = ${shardOf(userId)}::smallint AND o.user_id = ${userId} AND d.shard = o.shard AND d.order_id = o.id
      AND d.address IS NOT NULL AND NOT (o.status = 'paid' AND d.step IN ('waiting', 'packed'))`;
}

/**
 * Forgets where orders went: `KEEP_ADDRESSES_DAYS` after the last step, and where an account was deleted once nothing is to be
 * sent any more. At most 500,000 in a call. @returns how many
 */
export async function forgetAddresses(): Promise<number> {
  const { keepAddressesDays: days } = env();
  return deleteInBatches(
    () => db().$executeRaw`
      UPDATE deliveries d SET address = NULL
      FROM (
        SELECT d.shard, d.order_id FROM deliveries d
        JOIN orders o ON o.shard = d.shard AND o.id = d.order_id
        JOIN users u ON u.id = o.user_id
        WHERE d.address IS NOT NULL AND (
          d.updated_at < now() - make_interval(days => ${days}::int)
          OR u.deleted_at IS NOT NULL AND NOT (o.status = 'paid' AND d.step IN ('waiting', 'packed')))
        LIMIT ${BATCH}) over
      WHERE d.shard = over.shard AND d.order_id = over.order_id`,
    { size: BATCH, most: ROUNDS },
  );
}
