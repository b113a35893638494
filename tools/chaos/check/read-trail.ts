import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { stocksAt } from '@/lib/slice/numbers/slices-of';
import type { Ledger } from '../load/ledger';

/** Collects everything known about one order, line by line: the answers to clients, and the contents of the stores. */
export async function readTrail(saleId: string, orderNo: string, ledger: Ledger): Promise<string[]> {
  const lines = [`order ${orderNo}`, ...ledger.about(orderNo).map((line) => `  answered  ${line}`)];
  const add = (where: string, rows: readonly unknown[]) => {
    if (rows.length === 0) lines.push(`  ${where}  nothing`);
    for (const row of rows) lines.push(`  ${where}  ${typeof row === 'string' ? row : JSON.stringify(row)}`);
  };
  const stocks = await stocksAt(saleId);
  const buyers = await Promise.all(stocks.map((stockId) => stockRedis().hgetall(keys.buyers(stockId))));
  add(
    'buyer record',
    buyers
      .flatMap((slice) => Object.entries(slice))
      .filter(([, text]) => text.includes(`,${orderNo},`))
      .map(([userId, text]) => `${userId}: ${text}`),
  );
  const outbox = await Promise.all(
    stocks.map((stockId) => stockRedis().xrange(keys.outbox(stockId), '-', '+')),
  );
  add(
    'outbox',
    outbox
      .flat()
      .filter(([, fields]) => fields.includes(orderNo))
      .map(([id, fields]) => `${id} ${fields.join(' ')}`),
  );
  const rows = (text: string, value: string) =>
    db()
      .$queryRawUnsafe<{ row: string }[]>(text, value)
      .then((found) => found.map(({ row }) => row));
  add('order', await rows('SELECT to_jsonb(o)::text AS row FROM orders o WHERE id = $1::bigint', orderNo));
  add(
    'payment',
    await rows('SELECT to_jsonb(p)::text AS row FROM payments p WHERE order_id = $1::bigint', orderNo),
  );
  add(
    'payment event',
    await rows(
      `SELECT (to_jsonb(e) - 'payload')::text AS row FROM payment_events e WHERE payment_id = $1 ORDER BY received_at`,
      `pay_${orderNo}`,
    ),
  );
  add(
    'dead letter',
    await rows('SELECT to_jsonb(d)::text AS row FROM dead_letters d WHERE order_no = $1::bigint', orderNo),
  );
  add(
    'message',
    await rows(
      `SELECT to_jsonb(m)::text AS row FROM outgoing_messages m WHERE payload->>'orderNo' = $1 ORDER BY id`,
      orderNo,
    ),
  );
  add('run', await readRuns(orderNo));
  return lines;
}

/** Returns the runs of the embedded executor whose event names the order; none with another executor. */
async function readRuns(orderNo: string): Promise<string[]> {
  const [embedded] = await db().$queryRaw<{ exists: boolean }[]>`
    SELECT to_regclass('executor.runs') IS NOT NULL AS exists`;
  if (!embedded?.exists) return [];
  const runs = await db().$queryRaw<{ line: string }[]>`
    SELECT concat_ws(' ', r.id, r.function_id, r.status, r.created_at, r.ended_at, r.error::text) AS line
      FROM executor.runs r JOIN executor.events e ON e.id = r.event_id
     WHERE e.payload::text LIKE ${`%${orderNo}%`} ORDER BY r.id`;
  return runs.map(({ line }) => line);
}
