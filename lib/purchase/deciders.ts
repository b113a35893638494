import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { SaleStrategy } from '@/lib/contract/words/sale';
import { decideByDatabase } from './decide-by-database';
import { decideByLock } from './decide-by-lock';
import { decideByQueue } from './decide-by-queue';
import { decideByScript } from './decide-by-script';
import { decideBySlices } from './decide-by-slices';
import { decideWithFallback } from './decide-with-fallback';
import type { Decider } from './decider';

/**
 * The decider of each strategy. All take the same question and give the same answers. A new strategy is a file and a
 * line here. The work is in `lib/stock` (`purchaseStock`, `purchaseUnderLock`, `enqueuePurchase`) and, for Postgres, in
 * `purchase-by-database.ts`.
 */
const DECIDERS: Record<SaleStrategy, Decider> = {
  script: decideByScript,
  lock: decideByLock,
  database: decideByDatabase,
  queue: decideByQueue,
};

/**
 * Returns who decides the purchases of a sale: its strategy, or, if the sale goes over to Postgres in an outage, the
 * store that has its stock, or, if its stock is split, the buyer's slice.
 */
export function deciderOf({
  strategy,
  onStockOutage,
  slices,
}: Pick<SaleInfo, 'strategy' | 'onStockOutage' | 'slices'>): Decider {
  if (slices > 1) return decideBySlices;
  return onStockOutage === 'database' ? decideWithFallback : DECIDERS[strategy];
}
