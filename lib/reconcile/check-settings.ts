import 'server-only';
import { nowMs } from '@/lib/clock';
import type { Difference } from '@/lib/contract/shapes/reconcile';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { db } from '@/lib/db/client';
import { formatLimits } from '@/lib/redis/limit-policy';
import { SALE_PARTS, toSaleInfo } from '@/lib/sale/records/to-sale-info';
import { loadingsOf } from '@/lib/slice/loadings';
import { sliceLimits } from '@/lib/slice/slice-limits';
import { type HeldSettings, readSettings } from '@/lib/stock/read-settings';

/**
 * Checks that Redis has the same settings as Postgres. A change reaches Redis before its commit, so a process that dies
 * in between leaves the two different. Postgres is right, with one exception: a sale that Redis has closed is closed in
 * Postgres too, because shoppers were told that it is over.
 */
export async function compareSettings(saleId: string): Promise<Difference[]> {
  const row = await db().sale.findUnique({ where: { id: saleId }, include: SALE_PARTS });
  if (!row) return [];
  const sale = toSaleInfo(row);
  for (const { saleId: stockId, epoch } of loadingsOf(sale)) {
    const held = await readSettings(stockId);
    // If Redis was loaded again in between, it has the settings of Postgres.
    const found = held?.epoch === epoch ? compare(sale, held) : [];
    if (found.length > 0) return found;
  }
  return [];
}

function compare(sale: SaleInfo, held: HeldSettings): Difference[] {
  const named = (detail: string, repair: Difference['repair']): Difference[] => [
    { kind: 'settings', orderNo: null, userId: null, detail, repair },
  ];
  if (sale.status === 'closed')
    return held.closed ? [] : named('Postgres says that it was ended, Redis does not', 'configure');
  if (held.closed) return named('Redis has ended it, Postgres has not', 'configure');
  const differing = differences(sale, held);
  if (differing.length === 0) return [];
  const wouldOpenAgain = held.endsAt <= nowMs() && sale.endsAt > held.endsAt;
  return named(differing.join('; '), wouldOpenAgain ? null : 'configure');
}

function differences(sale: SaleInfo, held: HeldSettings): string[] {
  const time = (ms: number) => (Number.isSafeInteger(ms) ? new Date(ms).toISOString() : 'nothing');
  const pairs: [string, string, string][] = [
    ['starts', time(held.startsAt), time(sale.startsAt)],
    ['ends', time(held.endsAt), time(sale.endsAt)],
    ['paused', String(held.paused), String(sale.paused)],
    ['units per user', String(held.limit), String(sale.limitPerUser)],
    ['rate limits', held.limits || 'none', formatLimits(sliceLimits(sale.limits, sale.slices)) || 'none'],
    ['open waitlist', String(held.isWaitlistOpen), String(sale.waitlist ? !sale.waitlistClosed : null)],
    ['only who reserved', String(held.requiresReservation), String(sale.reservation !== null)],
  ];
  return pairs.flatMap(([what, redis, postgres]) =>
    redis === postgres ? [] : [`${what}: Redis ${redis}, Postgres ${postgres}`],
  );
}
