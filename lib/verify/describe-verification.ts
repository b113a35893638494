import type { Statement } from '@/lib/contract/shapes/live';
import { INVARIANT_IDS, type InvariantId } from '@/lib/contract/words/invariants';
import type { SentenceCode } from '@/lib/contract/words/sentences';
import { UNLIMITED } from '@/lib/stock/types';
import type { Findings } from './findings';
import type { RedisAccount } from './read-redis-account';
import { sayAll } from './say-all';
import type { PurchaseCount } from './scan-purchases';
import { INVARIANTS, type SaleAccount, type Verification } from './types';

type Books = {
  sale: SaleAccount;
  redis: RedisAccount | null;
  count: PurchaseCount;
  inFlightUnits: number;
  /** How many payments were compared with their provider's books. */
  payments: number;
};

const state = (code: SentenceCode, values: Statement['values'] = {}): Statement => ({ code, values });

/** Makes the result that people read: what was found wrong, else the numbers that prove it right. Pure. */
export function describeVerification(books: Books, findings: Findings): Verification {
  const invariants = INVARIANT_IDS.map((id) => {
    const problems = findings.statements(id);
    const ok = problems.length === 0;
    const statements = ok ? [describeGood(id, books)] : problems;
    return { id, name: INVARIANTS[id], ok, statements, detail: sayAll(statements) };
  });
  return { saleId: books.sale.saleId, ok: invariants.every(({ ok }) => ok), invariants };
}

function describeGood(id: InvariantId, books: Books): Statement {
  const { sale, redis, count, inFlightUnits: inFlight } = books;
  if (sale.isInDatabase) return describeInDatabase(id, sale) ?? describeShared(id, books);
  const { purchases } = count;
  switch (id) {
    case 1: {
      if (!redis) return state('never_published');
      const { available, held, sold } = redis;
      const tiers = { held, sold, heldInPostgres: sale.held, soldInPostgres: sale.sold };
      return sale.total === UNLIMITED
        ? state('tiers_unlimited', tiers)
        : state('tiers', { ...tiers, available, total: sale.total });
    }
    case 3:
      return state('deducted', { units: count.heldUnits + count.soldUnits, live: sale.liveUnits, inFlight });
    case 5:
      return state('matched', { orders: sale.orders, purchases, inFlight });
    case 6:
      return state('found', { purchases });
    default:
      return describeShared(id, books);
  }
}

/** Describes the invariants that depend on Postgres alone. */
function describeShared(
  id: InvariantId,
  { sale: { held, sold, total, limitPerUser, paidUnits }, payments }: Books,
): Statement {
  switch (id) {
    case 2: {
      const units = held + sold;
      return total === UNLIMITED
        ? state('committed_unlimited', { units })
        : state('committed', { units, total });
    }
    case 4:
      return state('within_limit', { limit: limitPerUser });
    case 8:
      return state('books_agree', { payments });
    default:
      return state('paid_for', { units: paidUnits });
  }
}

/**
 * Describes a sale whose stock lives in Postgres: purchase and order are one transaction there, so no purchase is
 * ever on its way.
 */
function describeInDatabase(id: InvariantId, sale: SaleAccount): Statement | null {
  const { total, held, sold, orders, liveUnits } = sale;
  switch (id) {
    case 1:
      return total === UNLIMITED
        ? state('tiers_in_postgres_unlimited', { held, sold })
        : state('tiers_in_postgres', { available: total - held - sold, held, sold, total });
    case 3:
      return state('deducted_in_postgres', { units: held + sold, live: liveUnits });
    case 5:
      return state('matched_in_postgres', { orders });
    case 6:
      return state('found', { purchases: orders });
    default:
      return null;
  }
}
