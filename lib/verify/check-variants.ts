import { isQuiet } from './check-deducted';
import type { Findings } from './findings';
import type { RedisAccount } from './read-redis-account';
import type { SaleAccount } from './types';

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/**
 * Invariants 1, 2 and 5 by variant in Postgres: the counters are the sums of its orders and fit its stock, all stocks are
 * the sale's, and each order names a variant that there is. Pure.
 */
export function checkVariantCounters(sale: SaleAccount, findings: Findings): void {
  for (const [at, one] of sale.variants.entries()) {
    const { stock, held, sold, liveUnits: live, paidUnits: paid } = one;
    const variant = at + 1;
    // An order is paid a moment before its units move from held to sold.
    if (held + sold !== live || sold > paid || sold < one.settledPaidUnits)
      findings.add(1, 'variant_counters_differ', { variant, held, sold, live, paid });
    if (held + sold > stock || live > stock) findings.add(2, 'variant_too_much', { variant, live, stock });
  }
  const stocks = sum(sale.variants.map(({ stock }) => stock));
  if (sale.variants.length > 0 && stocks !== sale.total)
    findings.add(2, 'variants_differ', { stocks, total: sale.total });
  const known = sum(sale.variants.map(({ liveUnits }) => liveUnits));
  const named = sale.variants.length > 0 ? sale.liveUnits : sale.variantUnits;
  if (known !== named) findings.add(5, 'variant_unknown', { units: named - known });
}

/** Invariant 1 by variant in Redis: each has a number of units left, and together they are those for sale. Pure. */
export function checkVariantsLeft(sale: SaleAccount, redis: RedisAccount, findings: Findings): void {
  const { variants = [], available } = redis;
  const areCounts = variants.every((left) => Number.isSafeInteger(left) && left >= 0);
  const addsUp = variants.length === 0 || sum(variants) === available;
  if (variants.length !== sale.variants.length || !areCounts || !addsUp)
    findings.add(1, 'variants_no_sum', { variants: variants.join(' '), available });
}

/**
 * Invariant 3 by variant: the units that Redis has not left are those of the buyer records. Pure. The records can't be
 * read in one instant: it says nothing if anything moved between the readings `before` and `after`.
 * @param counted live units in the buyer records of each variant, in order
 */
export function checkVariantsDeducted(
  sale: SaleAccount,
  { before, after }: { before: RedisAccount; after: RedisAccount },
  counted: readonly number[],
  findings: Findings,
): void {
  if (before.epoch !== after.epoch || !isQuiet(before, after) || after.total !== sale.total) return;
  for (const [at, { stock }] of sale.variants.entries()) {
    const deducted = stock - (after.variants?.[at] ?? 0);
    const units = counted[at] ?? 0;
    if (deducted !== units) findings.add(3, 'variant_records_differ', { variant: at + 1, deducted, units });
  }
}
