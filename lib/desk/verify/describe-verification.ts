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

const totalOf = ({ total }: SaleAccount): string => (total === UNLIMITED ? 'unlimited' : `${total}`);

/** The result people read: what was found wrong, else the numbers that prove it right. Pure. */
export function describeVerification(books: Books, findings: Findings): Verification {
  const ids = Object.keys(INVARIANTS).map(Number) as InvariantId[];
  const invariants = ids.map((id) => {
    const problem = findings.describe(id);
    return { id, name: INVARIANTS[id], ok: problem === null, detail: problem ?? describeGood(id, books) };
  });
  return { saleId: books.sale.saleId, ok: invariants.every(({ ok }) => ok), invariants };
}

function describeGood(id: InvariantId, books: Books): string {
  const { sale, redis, count, inFlightUnits } = books;
  if (sale.isInDatabase) return describeInDatabase(id, sale) ?? describeShared(id, sale);
  switch (id) {
    case 1:
      if (!redis) return 'never published: nothing is loaded into Redis';
      return (
        `Redis: ${redis.available === UNLIMITED ? 'unlimited' : redis.available} available, ${redis.held} held, ` +
        `${redis.sold} sold; Postgres: ${sale.held} held, ${sale.sold} sold; total ${totalOf(sale)}`
      );
    case 3:
      return `${count.heldUnits + count.soldUnits} units deducted, ${sale.liveUnits} in live orders, ${inFlightUnits} in flight`;
    case 5:
      return `${sale.orders} orders, ${count.purchases} accepted purchases, ${inFlightUnits} units in flight`;
    case 6:
      return `${count.purchases} accepted purchases, all found`;
    default:
      return describeShared(id, sale);
  }
}

/** What Postgres alone answers for. */
function describeShared(id: InvariantId, sale: SaleAccount): string {
  switch (id) {
    case 2:
      return `${sale.held + sale.sold} units committed in Postgres, total ${totalOf(sale)}`;
    case 4:
      return `no user has more than ${sale.limitPerUser}`;
    default:
      return `${sale.paidUnits} units paid for`;
  }
}

/** Where the stock lives in Postgres: purchase and order are one transaction there, nothing is ever on the way. */
function describeInDatabase(id: InvariantId, sale: SaleAccount): string | null {
  const { total, held, sold, orders, liveUnits } = sale;
  const available = total === UNLIMITED ? 'unlimited' : total - held - sold;
  switch (id) {
    case 1:
      return `Postgres: ${available} available, ${held} held, ${sold} sold; total ${totalOf(sale)}`;
    case 3:
      return `${held + sold} units deducted, ${liveUnits} in live orders; the stock lives in Postgres`;
    case 5:
      return `${orders} orders, each written together with its purchase and its payment`;
    case 6:
      return `${orders} accepted purchases, all found`;
    default:
      return null;
  }
}
