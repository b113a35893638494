import 'server-only';
import type { Difference } from '@/lib/contract/shapes/reconcile';
import type { InvariantId } from '@/lib/contract/words/invariants';
import type { DifferenceKind, Repair } from '@/lib/contract/words/reconcile';
import { checkDeducted } from '../verify/check-deducted';
import { checkPayments } from '../verify/check-orders';
import { checkProviderBooks } from '../verify/check-provider-books';
import { checkCommitted, checkRedisTiers, checkSaleCounters, checkTotals } from '../verify/check-tiers';
import { Findings } from '../verify/findings';
import { scanBuyers } from '../verify/read-purchases';
import { type RedisAccount, readRedisAccount } from '../verify/read-redis-account';
import type { SaleAccount } from '../verify/types';

/**
 * The differences of the sale as a whole: tiers that are not what the buyer records add up to, counters that are not what
 * the orders add up to, payments that don't fit, providers with other books. Postgres is the authority, so Redis is loaded anew where it is wrong, and
 * Postgres is left to a person.
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
    await checkRecords(sale, tiers);
    // Loading counts from the counters; with those wrong it would mend nothing, minute after minute.
    collect('phantom_unit', found.some(({ kind }) => kind === 'broken_counter') ? null : 'load', tiers);
  }
  return found;
}

async function checkRecords({ saleId, limitPerUser }: SaleAccount, findings: Findings): Promise<void> {
  const before = await readRedisAccount(saleId);
  const count = { purchases: 0, heldUnits: 0, soldUnits: 0 };
  for await (const buyers of scanBuyers(saleId)) {
    for (const { units, state } of buyers.flatMap(({ purchases }) => purchases ?? [])) {
      count.purchases += 1;
      if (state === 'held') count.heldUnits += units;
      if (state === 'sold') count.soldUnits += units;
    }
  }
  const after = await readRedisAccount(saleId);
  // Loaded anew meanwhile: the two readings have nothing to do with each other.
  if (before && after && before.epoch === after.epoch) {
    checkDeducted(before, after, count, limitPerUser, findings);
  }
}
