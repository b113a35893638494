import type { Redis } from 'ioredis';
import type pg from 'pg';
import { readStockRow } from './database-contestant';

export const QUEUE_KEY = 'lab:{sale}:queue';
const BATCH_SIZE = 200;
const BLOCK_SEC = 0.1;

/** A buyer's request in the queue. `replyTo` is the process that waits for the answer, `id` its number for the request. */
export type Request = { replyTo: string; id: number; userId: string };
/** The answer to request `id`. */
export type Reply = { id: number; isAccepted: boolean; stockAfter: number };

const DEDUCT = `
  WITH deducted AS (UPDATE lab.stock SET stock = stock - $1 WHERE id = 1),
       placed AS (INSERT INTO lab.orders (user_id) SELECT unnest($2::text[]))
  SELECT 1`;

/**
 * Starts the consumer, the only one that changes the stock. It takes requests off the queue in batches, sells while
 * there are units, and answers over pub/sub.
 * @param redis a connection of its own, because it blocks.
 * @returns a function that ends it after the batch under way.
 */
export function startConsumer(redis: Redis, pool: pg.Pool): () => Promise<void> {
  let isStopping = false;
  const loop = async () => {
    while (!isStopping) await sellBatch(redis, pool);
  };
  const ended = loop();
  // Nothing awaits this promise before the end; the error is still thrown there.
  ended.catch(() => {});
  return () => {
    isStopping = true;
    return ended;
  };
}

async function sellBatch(redis: Redis, pool: pg.Pool): Promise<void> {
  const first = await redis.blpop(QUEUE_KEY, BLOCK_SEC);
  if (!first) return;
  const rest = (await redis.lpop(QUEUE_KEY, BATCH_SIZE - 1)) ?? [];
  const requests = [first[1], ...rest].map((text) => JSON.parse(text) as Request);

  const stock = await readStockRow(pool);
  const lucky = requests.slice(0, Math.max(stock, 0));
  if (lucky.length > 0) await pool.query(DEDUCT, [lucky.length, lucky.map(({ userId }) => userId)]);

  const replies = new Map<string, Reply[]>();
  requests.forEach(({ replyTo, id }, i) => {
    const isAccepted = i < lucky.length;
    const reply = { id, isAccepted, stockAfter: stock - Math.min(i + 1, lucky.length) };
    replies.set(replyTo, [...(replies.get(replyTo) ?? []), reply]);
  });
  await Promise.all([...replies].map(([channel, batch]) => redis.publish(channel, JSON.stringify(batch))));
}
