import { processWide } from '@/lib/process-wide';
import 'server-only';
import { forgetExpired, rememberedSales } from '@/lib/accepted/accepted-memory';
import { log } from '@/lib/http/log';
import { groupBy } from '@/lib/outbox/group-by';
import { serverOf } from '@/lib/redis/ask-server-of';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { loadingOf } from '@/lib/slice/loadings';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { replayAccepted } from './replay-accepted';

const EVERY_MS = 1_000;

type Watch = { timer?: NodeJS.Timeout; looks: number };

const watch = processWide('accepted-watch', (): Watch => ({ looks: 0 }));

/** How often this process has looked for purchases to bring back; for tests. */
export const countLooks = (): number => watch.looks;

/**
 * Starts to bring back, once a second, what this process sold under a loading that is gone, also when nobody buys any
 * more. Goes on while it remembers nothing: purchases that a rebuild has taken are remembered again when it fails.
 * Cheap to call again.
 */
export function watchAccepted(): void {
  watch.timer ??= setTimeout(look, EVERY_MS).unref();
}

async function look(): Promise<void> {
  forgetExpired(performance.now());
  // One sale after the other, but those of a server that is away keep no other server's waiting.
  const byServer = groupBy([...rememberedSales()], (saleId) => serverOf(stockRedis(), keys.sale(saleId)));
  await Promise.all([...byServer.values()].map(bringBack));
  watch.timer = undefined;
  watch.looks += 1;
  watchAccepted();
}

async function bringBack(stockIds: readonly string[]): Promise<void> {
  for (const stockId of stockIds) {
    const saleId = saleOf(stockId);
    try {
      const info = await findSaleInfo(saleId);
      // Sales that can go over to Postgres have another way: the code that follows their places hands these purchases
      // over to Postgres.
      if (info && info.onStockOutage !== 'database') await replayAccepted(stockId, loadingOf(info, stockId));
    } catch (err) {
      log.warn({ saleId, err }, 'purchases could not be brought back yet');
    }
  }
}
