import { setTimeout as delay } from 'node:timers/promises';
import { closeDb, db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { processWide } from '@/lib/process-wide';
import { closeRedis } from '@/lib/redis/client';
import { findSaleInfo } from '../find-sale-info';
import type { ReaderAnswer, ReaderOrder } from './start-reader';

/** A web process that has only the cache: does what its parent asks and reports its queries to Postgres. */
log.level = 'silent';

/** Every query of this process, by model and operation. */
const queries: string[] = [];
const counting = db().$extends({
  query: {
    $allOperations: ({ model, operation, args, query }) => {
      queries.push(`${model ?? 'raw'}.${operation}`);
      return query(args);
    },
  },
});
Object.assign(
  processWide('db', () => ({})),
  { client: counting },
);

async function obey(order: ReaderOrder): Promise<ReaderAnswer> {
  queries.length = 0;
  const startedAt = performance.now();
  if (order.until !== undefined) {
    while ((await findSaleInfo(order.saleId))?.title !== order.until) await delay(5);
  }
  const found = await Promise.all(Array.from({ length: order.times }, () => findSaleInfo(order.saleId)));
  const titles = [...new Set(found.map((sale) => sale?.title ?? null))];
  return { titles, queries: [...queries], doneAt: Date.now(), tookMs: performance.now() - startedAt };
}

process.on('message', (order: ReaderOrder) => {
  obey(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once('disconnect', () => Promise.all([closeRedis(), closeDb()]));
process.send?.('ready');
