import 'server-only';
import { type BreakerView, readBreakers } from '@/lib/breaker/read-breakers';
import { shareBriefly } from '@/lib/cache/share-briefly';
import { countReserved } from '@/lib/checkout/count-reserved';
import { readDatabaseStock } from '@/lib/checkout/read-database-stock';
import { db } from '@/lib/db/client';
import type { StockMode } from '@/lib/fallback/types';
import { type Attempts, readAttempts } from '@/lib/metrics/attempts';
import { createRateMeter } from '@/lib/metrics/rate-meter';
import { type OutboxDepth, readOutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { countInDatabase as countWritten } from '@/lib/reservation/count-reserved';
import { type SaleInfo, toSaleInfo } from '@/lib/sale/types';
import { readStock } from '@/lib/stock/read-stock';
import { salePhase } from '@/lib/stock/sale-phase';
import type { SalePhase, StockTiers } from '@/lib/stock/types';
import { type Actor, maySee } from './actor';
import { recentVerification } from './verify/recent-verification';
import type { InvariantResult } from './verify/types';

export type Live = {
  sale: SaleInfo;
  /** Who sells it just now; other than `redis` only while a sale that goes over to Postgres has done so. */
  stockMode: StockMode;
  phase: SalePhase | null;
  serverTime: number;
  stock: StockTiers | null;
  database: { held: number; sold: number };
  orders: { pendingPayment: number; paid: number; cancelled: number; failed: number };
  queue: {
    outbox: number;
    relayLagMs: number;
    deadLetters: number;
    /** Over the last 10 to 60 s that somebody looked; null at the first look. */
    ordersPerSec: number | null;
  };
  /** Null for a sale that takes none. `written`: those that Postgres has by now. */
  reservations: { reserved: number; written: number } | null;
  attempts: Attempts;
  risk: { hits: number };
  /** The side services as the workers see them; none of them can stop the sale. */
  breakers: BreakerView[];
  invariants: Pick<InvariantResult, 'id' | 'ok' | 'detail'>[];
};

const COUNTS_MAX_AGE_MS = 1_000;
/** Where an order is written together with its purchase, none is ever on the way. */
const NO_OUTBOX: OutboxDepth = { depth: 0, oldestAgeMs: 0 };

const meter = createRateMeter();

/** Counting a large sale's orders takes Postgres a while, and everybody at the desk asks for it every second. */
const countInDatabase = shareBriefly(COUNTS_MAX_AGE_MS, async (saleId) => {
  const [deadLetters, hits, counts, reservations] = await Promise.all([
    db().deadLetter.count({ where: { saleId, resolvedAt: null } }),
    db().riskHit.count({ where: { saleId, dryRun: false } }),
    db().order.groupBy({ by: ['status'], where: { saleId }, _count: true }),
    countWritten(saleId),
  ]);
  // Orders are never deleted: what they grow by has been written since.
  const written = counts.reduce((sum, { _count }) => sum + _count, 0);
  return { deadLetters, hits, counts, reservations, ordersPerSec: meter(saleId, written, performance.now()) };
});

/** The desk's view of one sale, in numbers of this second. Null if there is no such sale or it is somebody else's. */
export async function readLive(actor: Actor, saleId: string): Promise<Live | null> {
  const row = await db().sale.findUnique({ where: { id: saleId }, include: { product: true } });
  if (!row || !maySee(actor, row.merchantId)) return null;
  const isInDatabase = row.strategy === 'database' || row.stockMode !== 'redis';
  const sale = toSaleInfo(row);
  const [stock, depth, reserved, attempts, inDatabase, verification, breakers] = await Promise.all([
    isInDatabase ? readDatabaseStock(saleId) : readStock(saleId),
    isInDatabase ? NO_OUTBOX : readOutboxDepth(saleId),
    sale.reservation && countReserved(sale),
    readAttempts(saleId),
    countInDatabase(saleId),
    row.status === 'draft' ? null : recentVerification(saleId),
    readBreakers(),
  ]);
  const { deadLetters, hits, counts, ordersPerSec } = inDatabase;
  const count = (status: string) => counts.find((group) => group.status === status)?._count ?? 0;
  return {
    sale,
    stockMode: row.stockMode as StockMode,
    phase: stock && salePhase(stock),
    serverTime: stock?.serverTime ?? Date.now(),
    stock: stock && { total: stock.total, available: stock.available, held: stock.held, sold: stock.sold },
    database: { held: row.heldStock, sold: row.soldStock },
    orders: {
      pendingPayment: count('pending_payment'),
      paid: count('paid'),
      cancelled: count('cancelled'),
      failed: count('failed'),
    },
    queue: { outbox: depth.depth, relayLagMs: depth.oldestAgeMs, deadLetters, ordersPerSec },
    reservations: reserved === null ? null : { reserved, written: inDatabase.reservations },
    attempts,
    risk: { hits },
    breakers,
    invariants: (verification?.invariants ?? []).map(({ id, ok, detail }) => ({ id, ok, detail })),
  };
}
