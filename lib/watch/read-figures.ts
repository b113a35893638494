import 'server-only';
import { readBreakers } from '@/lib/breaker/read-breakers';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { type SaleStrategy, STRATEGIES } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { readAttempts, withWritten } from '@/lib/metrics/attempts';
import { readPublished } from '@/lib/metrics/read-published';
import type { OutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { readWaiting } from '@/lib/outbox/read-waiting';
import { stockRedis } from '@/lib/redis/client';
import { countReserved } from '@/lib/reservation/count-reserved';
import { isInDatabase } from '@/lib/sale/records/is-in-database';
import { readDatabaseStock } from '@/lib/sale/records/read-database-stock';
import { SALE_PARTS, type SaleWithParts, toSaleInfo } from '@/lib/sale/records/to-sale-info';
import { recentServers } from '@/lib/servers/watch-servers';
import { stocksOf } from '@/lib/slice/numbers/stock-ids';
import { readSlices } from '@/lib/slice/read-slices';
import { readUndecided } from '@/lib/stock/read-asked';
import { readStock } from '@/lib/stock/read-stock';
import { readDatabaseFigures } from './read-database-figures';
import type { Figures, SaleInRedis, WatchedSale } from './types';

const MAX_SALES = 100;
const HOUR_MS = 3_600_000;
const NO_OUTBOX: OutboxDepth = { depth: 0, oldestAgeMs: 0 };

/**
 * Reads all watched figures. A Redis that can't be reached is itself a figure; the figures it has are then missing.
 * @throws connection errors of Postgres.
 */
export async function readFigures(): Promise<Figures> {
  const [redis, rows] = await Promise.all([isRedisUp(), watchedSales()]);
  const ids = rows.map(({ id }) => id);
  const [inDatabase, breakers, sales, processes, servers] = await Promise.all([
    readDatabaseFigures(ids),
    readBreakers(),
    Promise.all(rows.map((row) => watch(row, redis))),
    redis ? unlessDown(readPublished) : null,
    recentServers(),
  ]);
  const { orders, ...rest } = inDatabase;
  return {
    ...rest,
    breakers,
    servers,
    // A Redis that went away in between counts as down.
    stores: { redis: redis && processes !== null, postgres: true },
    sales: sales.map((sale) =>
      withOrders(
        sale,
        orders.filter(({ saleId }) => saleId === sale.saleId),
      ),
    ),
    processes: processes ?? [],
  };
}

function watchedSales(): Promise<SaleWithParts[]> {
  const [from, to] = [new Date(Date.now() - HOUR_MS), new Date(Date.now() + HOUR_MS)];
  return db().sale.findMany({
    where: {
      status: { not: 'draft' },
      startsAt: { lt: to },
      endsAt: { gt: from },
      OR: [{ closedAt: null }, { closedAt: { gt: from } }],
    },
    include: SALE_PARTS,
    orderBy: [{ startsAt: 'desc' }, { id: 'desc' }],
    take: MAX_SALES,
  });
}

async function watch(row: SaleWithParts, redis: boolean): Promise<Omit<WatchedSale, 'orders'>> {
  const sale = toSaleInfo(row);
  const hasStockInDatabase = isInDatabase(row);
  const [inRedis, slices, reserved] = redis
    ? await Promise.all([
        unlessDown(() => readInRedis(row, hasStockInDatabase)),
        watchSlices(sale),
        sale.reservation ? unlessDown(() => countReserved(sale)) : null,
      ])
    : [null, [], null];
  return { saleId: row.id, inRedis, slices, reserved };
}

async function watchSlices({ saleId, slices }: SaleInfo): Promise<WatchedSale['slices']> {
  if (slices === 1) return [];
  const read = await readSlices(stocksOf(saleId, slices));
  return read.flatMap((one, slice) => (one ? [{ slice, ...one }] : []));
}

function withOrders(sale: Omit<WatchedSale, 'orders'>, orders: WatchedSale['orders']): WatchedSale {
  const written = orders.reduce((sum, { count }) => sum + count, 0);
  const { inRedis } = sale;
  return {
    ...sale,
    orders,
    inRedis: inRedis && { ...inRedis, attempts: withWritten(inRedis.attempts, written) },
  };
}

async function readInRedis(
  { id: saleId, strategy }: Pick<SaleWithParts, 'id' | 'strategy'>,
  hasStockInDatabase: boolean,
): Promise<SaleInRedis> {
  const [stock, outbox, undecided, { attempts }] = await Promise.all([
    hasStockInDatabase ? readDatabaseStock(saleId) : readStock(saleId),
    hasStockInDatabase ? NO_OUTBOX : readWaiting(saleId),
    STRATEGIES[strategy as SaleStrategy].isQueued ? readUndecided(saleId) : null,
    readAttempts(saleId),
  ]);
  return { stock, outbox, undecided, attempts };
}

const isRedisUp = async () => (await unlessDown(() => stockRedis().ping())) !== null;

async function unlessDown<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!isOutage(error)) throw error;
    return null;
  }
}
