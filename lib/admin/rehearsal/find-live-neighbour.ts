import 'server-only';
import type { Db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { serverOf } from '@/lib/redis/ask-server-of';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { stocksOf } from '@/lib/slice/stock-ids';
import { shadowIdOf } from './shadow-sale';

/** The largest crowd takes less than two minutes; the rest is the margin. */
const QUIET_SEC = 300;
const MOST_SALES = 1_000;

type Neighbour = { saleId: string; endsAt: number };

/**
 * Finds a sale that a rehearsal would slow down: live now or within five minutes, with its stock on the Redis server to
 * which the rehearsal's crowd would go. A line or draw is live as soon as it can be joined. Of a server that is not known
 * just now it is assumed to be the same. Null if there is none, or where `REHEARSE_BESIDE_LIVE` is set.
 * @param saleId the sale that is rehearsed: counts only once it is live itself
 * @param quietSec how long nothing may start, s
 */
export async function findLiveNeighbour(
  tx: Db,
  saleId: string,
  rehearsalId: string,
  quietSec = QUIET_SEC,
): Promise<Neighbour | null> {
  if (env().rehearseBesideLive) return null;
  const sales = await tx.$queryRaw<{ saleId: string; slices: number; endsAt: Date }[]>`
    SELECT id AS "saleId", slices, ends_at AS "endsAt" FROM sales
    WHERE status = 'published' AND ends_at > now() AND (strategy <> 'database' OR admission <> 'first_come')
      AND CASE WHEN admission = 'first_come' THEN starts_at ELSE entry_opens_at END
          <= now() + make_interval(secs => CASE WHEN id = ${saleId} THEN 0 ELSE ${quietSec}::int END)
    ORDER BY ends_at DESC LIMIT ${MOST_SALES}`;
  const here = serverOfStock(shadowIdOf(rehearsalId));
  const found = sales.find((sale) =>
    stocksOf(sale.saleId, sale.slices).some((stock) => {
      const there = serverOfStock(stock);
      return there === here || there === '' || here === '';
    }),
  );
  return found ? { saleId: found.saleId, endsAt: found.endsAt.getTime() } : null;
}

const serverOfStock = (stockId: string) => serverOf(stockRedis(), keys.sale(stockId));
