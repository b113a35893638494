import 'server-only';
import { db } from '@/lib/db/client';

/** Counting fewer takes some ms, so callers get the present number. */
const MANY = 10_000;
/** Counting more takes at most this share of the time: a million take a second. */
const MAX_DUTY = 0.2;
const MAX_SALES = 100;

/** How many orders of a sale have a status, for one reason. */
type OrderCount = { status: string; endReason: string | null; count: number };

type Kept = { counts: OrderCount[]; at: number; tookMs: number; refreshing?: Promise<void> };
const kept = new Map<string, Kept>();

/**
 * Counts a sale's orders by status. Of a sale with more than 10,000 it returns the latest numbers at once and renews
 * them meanwhile, the less often the longer that takes: a live page asks each second, whatever the sale's size.
 * @throws connection errors, where there are no earlier numbers
 */
export async function countOrders(
  saleId: string,
  count: (saleId: string) => Promise<OrderCount[]> = countNow,
): Promise<OrderCount[]> {
  const known = kept.get(saleId) ?? { counts: [], at: Number.NEGATIVE_INFINITY, tookMs: 0 };
  const isLarge = known.counts.reduce((sum, one) => sum + one.count, 0) > MANY;
  const isDue = !isLarge || performance.now() - known.at > known.tookMs / MAX_DUTY;
  if (isDue && !known.refreshing) {
    if (kept.size >= MAX_SALES) kept.clear();
    kept.set(saleId, known);
    known.refreshing = refresh(known, () => count(saleId)).finally(() => {
      known.refreshing = undefined;
    });
    // Callers that wait get the error; the others keep the earlier numbers.
    known.refreshing.catch(() => {});
  }
  if (!isLarge) await known.refreshing;
  return known.counts;
}

async function refresh(known: Kept, count: () => Promise<OrderCount[]>): Promise<void> {
  const from = performance.now();
  known.counts = await count();
  known.at = performance.now();
  known.tookMs = known.at - from;
}

const countNow = (saleId: string): Promise<OrderCount[]> =>
  db().$queryRaw<OrderCount[]>`
    SELECT status, end_reason AS "endReason", count(*)::int AS count FROM orders
    WHERE sale_id = ${saleId} GROUP BY status, end_reason`;
