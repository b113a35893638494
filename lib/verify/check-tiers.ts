import { UNLIMITED } from '@/lib/stock/types';
import type { Findings } from './findings';
import type { RedisAccount } from './read-redis-account';
import type { SaleAccount } from './types';

/** Invariant 1 in Redis: checks that the tiers are numbers, none negative, and add up. Pure. */
export function checkRedisTiers(redis: RedisAccount, findings: Findings): void {
  const { total, available, held, sold } = redis;
  const tiers = { available, held, sold, total };
  const isUnlimited = total === UNLIMITED && available === UNLIMITED;
  if (![total, available, held, sold].every(Number.isSafeInteger)) {
    const said = Object.entries(tiers).map(([tier, value]) => [tier, String(value)]);
    findings.add(1, 'not_a_number', Object.fromEntries(said));
  } else if (held < 0 || sold < 0 || (!isUnlimited && available < 0)) {
    findings.add(1, 'negative', tiers);
  } else if (!isUnlimited && available + held + sold !== total) {
    findings.add(1, 'no_sum', tiers);
  }
}

/** Invariant 1 in Postgres: checks that the sale's counters are the sums of its orders. Pure. */
export function checkSaleCounters(sale: SaleAccount, findings: Findings): void {
  const { held, sold, liveUnits, paidUnits, settledPaidUnits } = sale;
  if (held < 0 || sold < 0) findings.add(1, 'negative_in_postgres', { held, sold });
  if (held + sold !== liveUnits) {
    findings.add(1, 'counters_differ', { held, sold, live: liveUnits });
  }
  // An order is paid a moment before its units move from held to sold.
  if (sold > paidUnits || sold < settledPaidUnits) {
    findings.add(1, 'sold_differs', { sold, paid: paidUnits });
  }
}

/** Invariant 2: checks that the committed units fit the total, by the counters and by the orders themselves. Pure. */
export function checkCommitted(sale: SaleAccount, findings: Findings): void {
  if (sale.total === UNLIMITED) return;
  const { held, sold, total, liveUnits } = sale;
  if (held + sold > total) findings.add(2, 'too_much_committed', { held, sold, total });
  if (liveUnits > total) findings.add(2, 'too_much_in_orders', { live: liveUnits, total });
}

/** Invariant 2 across both: checks that Redis does not offer more than Postgres would commit. Pure. */
export function checkTotals(sale: SaleAccount, redis: RedisAccount, findings: Findings): void {
  if (sale.total !== redis.total) {
    findings.add(2, 'totals_differ', { inRedis: redis.total, inPostgres: sale.total });
  }
}
