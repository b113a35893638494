import { UNLIMITED } from '@/lib/stock/types';
import type { Findings } from './findings';
import type { RedisAccount } from './read-redis-account';
import type { SaleAccount } from './types';

/** Invariant 1 in Redis: the tiers are numbers, none negative, and add up. Pure. */
export function checkRedisTiers(redis: RedisAccount, findings: Findings): void {
  const { total, available, held, sold } = redis;
  const tiers = `available ${available}, held ${held}, sold ${sold}, total ${total}`;
  const isUnlimited = total === UNLIMITED && available === UNLIMITED;
  if (![total, available, held, sold].every(Number.isSafeInteger)) {
    findings.add(1, `Redis has a tier that is not a number: ${tiers}`);
  } else if (held < 0 || sold < 0 || (!isUnlimited && available < 0)) {
    findings.add(1, `Redis has a negative tier: ${tiers}`);
  } else if (!isUnlimited && available + held + sold !== total) {
    findings.add(1, `Redis does not add up: ${tiers}`);
  }
}

/** Invariant 1 in Postgres: the sale's counters are what its orders add up to. Pure. */
export function checkSaleCounters(sale: SaleAccount, findings: Findings): void {
  const { held, sold, liveUnits, paidUnits, settledPaidUnits } = sale;
  if (held < 0 || sold < 0) findings.add(1, `Postgres has a negative tier: held ${held}, sold ${sold}`);
  if (held + sold !== liveUnits) {
    findings.add(1, `Postgres counts held ${held} + sold ${sold}, its live orders have ${liveUnits} units`);
  }
  // An order is paid a moment before its units move from held to sold.
  if (sold > paidUnits || sold < settledPaidUnits) {
    findings.add(1, `Postgres counts ${sold} sold, its paid orders have ${paidUnits} units`);
  }
}

/** Invariant 2: what is committed fits the total, by the counters and by the orders themselves. Pure. */
export function checkCommitted(sale: SaleAccount, findings: Findings): void {
  if (sale.total === UNLIMITED) return;
  const { held, sold, total, liveUnits } = sale;
  if (held + sold > total) findings.add(2, `held ${held} + sold ${sold} exceed the total of ${total}`);
  if (liveUnits > total) findings.add(2, `live orders have ${liveUnits} units, the total is ${total}`);
}

/** Invariant 2 across both: Redis must not offer more than Postgres would commit. Pure. */
export function checkTotals(sale: SaleAccount, redis: RedisAccount, findings: Findings): void {
  if (sale.total !== redis.total) {
    findings.add(2, `the total is ${redis.total} in Redis and ${sale.total} in Postgres`);
  }
}
