import { firstExcess, mostUnits, spanOf } from './timeline';
import type { Case, OrderRow, Tiers, Violation } from './types';

/**
 * Checks that orders never have more units than there were, at any moment, nor a user more than the limit. At the end
 * every unit must be sold or on sale, the same in both stores, and the total must be the one the merchant set.
 */
export function checkStock({ ledger, books, facts }: Case): Violation[] {
  const found: Violation[] = [];
  const broken = (rule: string, problem: string, ...orderNos: string[]) =>
    found.push({ rule, problem, orderNos });

  const excess = firstExcess(books.orders.map(spanOf), mostUnits(facts.stock, ledger.merchant));
  if (excess) {
    broken('never oversold', `${excess.units} units were taken at ${excess.at} by orders`, excess.orderNo);
  }
  const byUser = new Map<string, OrderRow[]>();
  for (const order of books.orders) {
    const own = byUser.get(order.userId);
    if (own) own.push(order);
    else byUser.set(order.userId, [order]);
  }
  for (const [userId, own] of byUser) {
    const over = firstExcess(own.map(spanOf), () => facts.limitPerUser);
    if (over) {
      const orderNos = own.map(({ orderNo }) => orderNo);
      broken('limit per user', `${userId} had ${over.units} units at ${over.at}`, ...orderNos);
    }
  }
  const { total, held, sold } = books.sale;
  const paid = books.orders.filter(({ status }) => status === 'paid');
  const paidUnits = paid.reduce((sum, { quantity }) => sum + quantity, 0);
  if (held !== 0 || sold !== paidUnits) {
    broken('books agree', `Postgres has ${held} held and ${sold} sold; ${paidUnits} units are paid`);
  }
  const expected: Tiers = { total, available: total - paidUnits, held: 0, sold: paidUnits };
  const { redis } = books;
  if (!redis) broken('books agree', 'Redis does not hold the sale');
  else if (Object.entries(expected).some(([tier, units]) => redis[tier as keyof Tiers] !== units)) {
    broken('books agree', `Redis has ${JSON.stringify(redis)}, expected ${JSON.stringify(expected)}`);
  }
  const { slices } = books;
  const dealt = slices.reduce((sum, slice) => sum + slice.dealt, 0);
  if (slices.length > 0 && (dealt !== total || slices.some((slice) => slice.loaded !== slice.dealt)))
    broken('slices agree', `of ${total} units the slices have ${JSON.stringify(slices)}`);
  const possible = possibleTotals(facts.stock, ledger.merchant);
  if (!possible.has(total)) {
    broken('restocks', `the total is ${total}; what was answered allows ${[...possible].join(', ')}`);
  }
  return found;
}

/** Returns the totals that are possible: a restock with a definite answer counts, one without may or may not. */
function possibleTotals(stock: number, acts: Case['ledger']['merchant']): Set<number> {
  let totals = new Set([stock]);
  for (const { act, delta, result } of acts) {
    if (act !== 'restock' || result === 'refused') continue;
    const added = [...totals].map((total) => total + delta);
    totals = new Set(result === 'done' ? added : [...totals, ...added]);
  }
  return totals;
}
