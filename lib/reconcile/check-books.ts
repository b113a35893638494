import 'server-only';
import type { Difference } from '@/lib/contract/shapes/reconcile';
import type { InvariantId } from '@/lib/contract/words/invariants';
import type { DifferenceKind, Repair } from '@/lib/contract/words/reconcile';
import { loadingsOf } from '@/lib/slice/loadings';
import { checkDeducted } from '@/lib/verify/check-deducted';
import { checkLedger, readSlicesInRedis } from '@/lib/verify/check-ledger';
import { checkPayments } from '@/lib/verify/check-orders';
import { checkProviderBooks } from '@/lib/verify/check-provider-books';
import { checkCommitted, checkRedisTiers, checkSaleCounters, checkTotals } from '@/lib/verify/check-tiers';
import { Findings } from '@/lib/verify/findings';
import { scanStock } from '@/lib/verify/read-purchases';
import { type RedisAccount, readRedisAccount } from '@/lib/verify/read-redis-account';
import type { SaleAccount } from '@/lib/verify/types';

/**
 * Finds the differences of the sale as a whole: tiers that are not the sum of the buyer records, counters that are
 * not the sum of the orders, payments that don't fit, providers with other books. Postgres is right, so Redis is
 * loaded again where it is wrong; errors in Postgres are left to a person.
 */
export async function checkBooks(sale: SaleAccount, redis: RedisAccount | null): Promise<Difference[]> {
  const found: Difference[] = [];
  const collect = (kind: DifferenceKind, repair: Repair | null, findings: Findings) => {
    for (const invariant of [1, 2, 3, 7, 8] as InvariantId[]) {
      const detail = findings.describe(invariant);
      if (detail !== null) found.push({ kind, orderNo: null, userId: null, detail, repair });
    }
  };
  const [counters, payments, money, tiers] = [new Findings(), new Findings(), new Findings(), new Findings()];
  checkSaleCounters(sale, counters);
  checkCommitted(sale, counters);
  collect('broken_counter', null, counters);
  await checkPayments(sale.saleId, payments);
  collect('payment', null, payments);
  await checkProviderBooks(sale.saleId, 0, money);
  collect('provider_books', 'ask', money);
  if (redis) {
    checkRedisTiers(redis, tiers);
    checkTotals(sale, redis, tiers);
    const slices = await readSlicesInRedis(sale);
    for (const slice of slices) if (slice) checkRedisTiers(slice, tiers);
    await checkLedger(sale, slices, tiers);
    for (const { saleId: stockId } of loadingsOf(sale)) await checkRecords(stockId, sale.limitPerUser, tiers);
    // Loading uses the counters; with wrong ones it would repair nothing, minute after minute.
    collect('phantom_unit', found.some(({ kind }) => kind === 'broken_counter') ? null : 'load', tiers);
  }
  return found;
}

async function checkRecords(stockId: string, limitPerUser: number, findings: Findings): Promise<void> {
  const before = await readRedisAccount(stockId);
  const count = { purchases: 0, heldUnits: 0, soldUnits: 0 };
  for await (const buyers of scanStock(stockId)) {
    for (const { quantity: units, state } of buyers.flatMap(({ purchases }) => purchases ?? [])) {
      count.purchases += 1;
      if (state === 'held') count.heldUnits += units;
      if (state === 'sold') count.soldUnits += units;
    }
  }
  const after = await readRedisAccount(stockId);
  if (before && after) checkDeducted(before, after, count, limitPerUser, findings);
}
