import 'server-only';
import { shareBriefly } from '@/lib/cache/share-briefly';
import { nowMs } from '@/lib/clock';
import { db } from '@/lib/db/client';
import { type OutboxDepth, readOutboxDepth } from './read-outbox-depth';

const MAX_AGE_MS = 1_000;

type Taken = { saleId: string; depth: number; oldestAt: number };

/**
 * Reads what the embedded executor has in hand for all sales at once. Orders travel in the order of their purchase, so
 * the first line of a batch has the oldest moment. With another Inngest these tables are empty.
 */
const readTaken = shareBriefly(
  MAX_AGE_MS,
  () => db().$queryRaw<Taken[]>`
    SELECT b.batch->>'saleId' AS "saleId", sum(json_array_length(b.batch->'orders'))::int AS depth,
           min(split_part(b.batch->'orders'->>0, ' ', 6)::float8) AS "oldestAt"
    FROM executor.functions f
    JOIN executor.queue q ON q.function_id = f.id
    JOIN executor.runs r ON r.id = q.run_id
    JOIN executor.events e ON e.id = r.event_id
    CROSS JOIN LATERAL (SELECT CASE e.name WHEN 'orders/accepted' THEN e.payload->'data'
                                           ELSE e.payload->'data'->'event'->'data' END AS data) AS d
    CROSS JOIN LATERAL json_array_elements(coalesce(d.data->'batches', json_build_array(d.data))) AS b (batch)
    WHERE f.id ~ 'create-orders(-failure)?$' AND json_typeof(b.batch->'orders') = 'array'
      AND json_typeof(b.batch->'orders'->0) = 'string'
    GROUP BY b.batch->>'saleId'`,
);

/**
 * Counts the accepted purchases of a sale that are not orders yet, and returns how long the oldest has waited, in ms:
 * those in its outbox, and those that the embedded executor has taken and could not finish. The second part may be
 * 1 s old. @throws connection errors
 */
export async function readWaiting(saleId: string): Promise<OutboxDepth> {
  const [outbox, taken] = await Promise.all([readOutboxDepth(saleId), readTaken('all')]);
  const ofSale = taken.find((one) => one.saleId === saleId);
  if (!ofSale) return outbox;
  const oldestAgeMs = Math.max(outbox.oldestAgeMs, nowMs() - ofSale.oldestAt);
  return { depth: outbox.depth + ofSale.depth, oldestAgeMs };
}
