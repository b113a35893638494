import 'server-only';
import { joinReads } from '@/lib/db/join-reads';
import { keptQuery } from '@/lib/db/kept-query';
import { shardOf } from '@/lib/ids/shard-of';

const keyOf = (saleId: string, userId: string): string => `${saleId} ${userId}`;

const read = joinReads<string, string>(async (asked) => {
  const pairs = asked.map((key) => key.split(' ') as [string, string]);
  const rows = await keptQuery<{ sale_id: string; user_id: string; id: string }>`
    SELECT o.sale_id, o.user_id, max(o.id)::text AS id
    FROM unnest(${pairs.map(([, userId]) => shardOf(userId))}::smallint[],
                ${pairs.map(([saleId]) => saleId)}::text[], ${pairs.map(([, userId]) => userId)}::text[])
           AS a (shard, sale_id, user_id)
    JOIN orders o ON o.shard = a.shard AND o.user_id = a.user_id AND o.sale_id = a.sale_id
    GROUP BY o.sale_id, o.user_id`;
  return new Map(rows.map((row) => [keyOf(row.sale_id, row.user_id), row.id]));
});

/** Returns the number of somebody's latest written order in a sale; null without one. @throws connection errors */
export const findLatestOrder = async (saleId: string, userId: string): Promise<string | null> =>
  (await read(keyOf(saleId, userId))) ?? null;
