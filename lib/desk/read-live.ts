import 'server-only';
import { shareBriefly } from '@/lib/cache/share-briefly';
import { db } from '@/lib/db/client';
import { type Attempts, readAttempts } from '@/lib/metrics/attempts';
import { readOutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { type SaleInfo, toSaleInfo } from '@/lib/sale/types';
import { readStock } from '@/lib/stock/read-stock';
import { salePhase } from '@/lib/stock/sale-phase';
import type { SalePhase, StockTiers } from '@/lib/stock/types';
import { type Actor, mayManage } from './actor';
import { recentVerification } from './verify/recent-verification';
import type { InvariantResult } from './verify/types';

export type Live = {
  sale: SaleInfo;
  phase: SalePhase | null;
  serverTime: number;
  stock: StockTiers | null;
  database: { held: number; sold: number };
  orders: { pendingPayment: number; paid: number; cancelled: number; failed: number };
  queue: { outbox: number; relayLagMs: number; deadLetters: number };
  attempts: Attempts;
  risk: { hits: number };
  invariants: Pick<InvariantResult, 'id' | 'ok' | 'detail'>[];
};

const COUNTS_MAX_AGE_MS = 1_000;

/** Counting a large sale's orders takes Postgres a while, and everybody at the desk asks for it every second. */
const countInDatabase = shareBriefly(COUNTS_MAX_AGE_MS, async (saleId) => {
  const [deadLetters, counts] = await Promise.all([
    db().deadLetter.count({ where: { saleId, resolvedAt: null } }),
    db().order.groupBy({ by: ['status'], where: { saleId }, _count: true }),
  ]);
  return { deadLetters, counts };
});

/** The desk's view of one sale, in numbers of this second. Null if there is no such sale or it is somebody else's. */
export async function readLive(actor: Actor, saleId: string): Promise<Live | null> {
  const row = await db().sale.findUnique({ where: { id: saleId }, include: { product: true } });
  if (!row || !mayManage(actor, row.merchantId)) return null;
  const [stock, depth, attempts, { deadLetters, counts }, verification] = await Promise.all([
    readStock(saleId),
    readOutboxDepth(saleId),
    readAttempts(saleId),
    countInDatabase(saleId),
    row.status === 'draft' ? null : recentVerification(saleId),
  ]);
  const count = (status: string) => counts.find((group) => group.status === status)?._count ?? 0;
  return {
    sale: toSaleInfo(row),
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
    queue: { outbox: depth.depth, relayLagMs: depth.oldestAgeMs, deadLetters },
    attempts,
    // Risk rules come with their own part; until then nothing can hit.
    risk: { hits: 0 },
    invariants: (verification?.invariants ?? []).map(({ id, ok, detail }) => ({ id, ok, detail })),
  };
}
