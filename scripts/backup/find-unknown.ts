import pg from 'pg';
import type { RedisConnection } from '@/lib/redis/connection';
import { keys } from '@/lib/redis/keys';
import { openConnection } from '@/lib/redis/open-connection';
import { stocksOf } from '@/lib/slice/numbers/stock-ids';
import { readBuyerRecords } from '@/lib/stock/buyer-record';

export type Unknown = { saleId: string; orderNos: string[] };

/** How many buyers are compared at a time. */
const PAGE = 2_000;
/** For a Redis that is away: nobody waits for it, since it may be gone for good. */
const PATIENCE_MS = 5_000;

/**
 * Finds, sale by sale, the purchases that Redis holds as held or sold and that Postgres has no order of: what was sold
 * after the backup. Reads only.
 * @throws connection errors.
 */
export async function findUnknown(redisUrl: string, databaseUrl: string): Promise<Unknown[]> {
  const redis = openConnection(
    redisUrl,
    {
      connectTimeout: PATIENCE_MS,
      commandTimeout: PATIENCE_MS,
      maxRetriesPerRequest: 1,
      retryStrategy: () => null,
    },
    { connectTimeoutMs: PATIENCE_MS, retryDelayMs: () => PATIENCE_MS },
  );
  redis.on('error', () => {});
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    const { rows: sales } = await client.query<{ id: string; slices: number }>(
      "SELECT id, slices FROM sales WHERE status <> 'draft' ORDER BY id",
    );
    const found: Unknown[] = [];
    for (const { id, slices } of sales) {
      // A scan may meet a buyer twice.
      const orderNos = new Set<string>();
      for (const stockId of stocksOf(id, slices))
        for await (const page of scanLive(redis, stockId))
          for (const orderNo of await withoutOrder(client, page)) orderNos.add(orderNo);
      if (orderNos.size > 0) found.push({ saleId: id, orderNos: [...orderNos].sort() });
    }
    return found;
  } finally {
    redis.disconnect();
    await client.end().catch(() => {});
  }
}

async function* scanLive(redis: RedisConnection, stockId: string): AsyncGenerator<string[]> {
  let cursor = '0';
  do {
    const [next, flat] = await redis.hscan(keys.buyers(stockId), cursor, 'COUNT', PAGE);
    cursor = next;
    // `npm run verify` reports a record that can't be read.
    const records = flat.flatMap((text, at) => (at % 2 === 1 ? (readBuyerRecords(text) ?? []) : []));
    yield records.filter(({ state }) => state !== 'released').map(({ orderNo }) => orderNo);
  } while (cursor !== '0');
}

async function withoutOrder(client: pg.Client, orderNos: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ no: string }>(
    `SELECT no FROM unnest($1::text[]) AS no
     WHERE no::bigint NOT IN (SELECT id FROM orders_numbered($1::text[]::bigint[]))`,
    [orderNos],
  );
  return rows.map(({ no }) => no);
}
