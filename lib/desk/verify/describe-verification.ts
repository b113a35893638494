import { UNLIMITED } from '@/lib/stock/types';
import type { Findings } from './findings';
import type { RedisAccount } from './read-redis-account';
import type { PurchaseCount } from './scan-purchases';
import { INVARIANTS, type InvariantId, type SaleAccount, type Verification } from './types';

export type Books = {
  sale: SaleAccount;
  redis: RedisAccount | null;
  count: PurchaseCount;
  inFlightUnits: number;
};

/** The result people read: what was found wrong, else the numbers that prove it right. Pure. */
export function describeVerification(books: Books, findings: Findings): Verification {
  const ids = Object.keys(INVARIANTS).map(Number) as InvariantId[];
  const invariants = ids.map((id) => {
    const problem = findings.describe(id);
    return { id, name: INVARIANTS[id], ok: problem === null, detail: problem ?? describeGood(id, books) };
  });
  return { saleId: books.sale.saleId, ok: invariants.every(({ ok }) => ok), invariants };
}

function describeGood(id: InvariantId, { sale, redis, count, inFlightUnits }: Books): string {
  const total = sale.total === UNLIMITED ? 'unlimited' : `${sale.total}`;
  switch (id) {
    case 1:
      if (!redis) return 'never published: nothing is loaded into Redis';
      return (
        `Redis: ${redis.available === UNLIMITED ? 'unlimited' : redis.available} available, ${redis.held} held, ` +
        `${redis.sold} sold; Postgres: ${sale.held} held, ${sale.sold} sold; total ${total}`
      );
    case 2:
      return `${sale.held + sale.sold} units committed in Postgres, total ${total}`;
    case 3:
      return `${count.heldUnits + count.soldUnits} units deducted, ${sale.liveUnits} in live orders, ${inFlightUnits} in flight`;
    case 4:
      return `no user has more than ${sale.limitPerUser}`;
    case 5:
      return `${sale.orders} orders, ${count.purchases} accepted purchases, ${inFlightUnits} units in flight`;
    case 6:
      return `${count.purchases} accepted purchases, all found`;
    case 7:
      return `${sale.paidUnits} units paid for`;
  }
}
