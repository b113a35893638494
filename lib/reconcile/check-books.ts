import 'server-only';
import type { Difference } from '@/lib/contract/shapes/reconcile';
import type { InvariantId } from '@/lib/contract/words/invariants';
import type { DifferenceKind, Repair } from '@/lib/contract/words/reconcile';
import { loadingsOf } from '@/lib/slice/loadings';
import { checkDeducted } from '@/lib/verify/check-deducted';
import { checkLedger, readSlicesInRedis } from '@/lib/verify/check-ledger';
import { checkPayments } from '@/lib/verify/check-orders';
import { checkCommitted, checkRedisTiers, checkSaleCounters, checkTotals } from '@/lib/verify/check-tiers';
import { checkVariantCounters, checkVariantsDeducted, checkVariantsLeft } from '@/lib/verify/check-variants';
import { Findings } from '@/lib/verify/findings';
import { scanStock } from '@/lib/verify/read-purchases';
import { type RedisAccount, readRedisAccount } from '@/lib/verify/read-redis-account';
import { countIn, newCount } from '@/lib/verify/scan-purchases';
import type { SaleAccount } from '@/lib/verify/types';

/**
 * Finds the differences of the sale as a whole: tiers that are not the sum of the buyer records, counters that are
 * not the sum of the orders, payments that don't fit. Postgres is right, so Redis is loaded again where it is wrong;
 * errors in Postgres are left to a person.
 */
export async function checkBooks(sale: SaleAccount, redis: RedisAccount | null): Promise<Difference[]> {
  const found: Difference[] = [];
  const collect = (kind: DifferenceKind, repair: Repair | null, findings: Findings) => {
    for (const invariant of [1, 2, 3, 5, 7] as InvariantId[]) {
      const detail = findings.describe(invariant);
      if (detail !== null) found.push({ kind, orderNo: null, userId: null, detail, repair });
    }
  };
  const [counters, payments, tiers] = [new Findings(), new Findings(), new Findings()];
  checkSaleCounters(sale, counters);
  checkCommitted(sale, counters);
  checkVariantCounters(sale, counters);
  collect('broken_counter', null, counters);
  await checkPayments(sale.saleId, payments);
  collect('payment', null, payments);
  if (redis) {
    checkRedisTiers(redis, tiers);
    checkTotals(sale, redis, tiers);
    checkVariantsLeft(sale, redis, tiers);
    const slices = await readSlicesInRedis(sale);
    for (const slice of slices) if (slice) checkRedisTiers(slice, tiers);
    await checkLedger(sale, slices, tiers);
    for (const { saleId: stockId } of loadingsOf(sale)) await checkRecords(sale, stockId, tiers);
    // Loading uses the counters; with wrong ones it would repair nothing, minute after minute.
    collect('phantom_unit', found.some(({ kind }) => kind === 'broken_counter') ? null : 'load', tiers);
  }
  return found;
}

async function checkRecords(sale: SaleAccount, stockId: string, findings: Findings): Promise<void> {
  const before = await readRedisAccount(stockId);
  const count = newCount();
  for await (const buyers of scanStock(stockId)) {
    for (const purchase of buyers.flatMap(({ purchases }) => purchases ?? [])) countIn(count, purchase);
  }
  const after = await readRedisAccount(stockId);
  if (!before || !after) return;
  checkDeducted(before, after, count, sale.limitPerUser, findings);
  checkVariantsDeducted(sale, { before, after }, count.byVariant, findings);
}
