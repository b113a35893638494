import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { SaleStrategy } from '@/lib/contract/words/sale';
import { decideByDatabase } from './decide-by-database';
import { decideByLock } from './decide-by-lock';
import { decideByRoute } from './decide-by-route';
import { decideByScript } from './decide-by-script';
import type { Decider } from './decider';

/** Who decides. Each takes the same question and gives the same answers. A new strategy is a file and a line here. */
const DECIDERS: Record<SaleStrategy, Decider> = {
  script: decideByScript,
  lock: decideByLock,
  database: decideByDatabase,
};

/** Who decides the purchases of a sale: its strategy, or whoever has its stock if it goes over to Postgres in an outage. */
export const deciderOf = ({
  strategy,
  onStockOutage,
}: Pick<SaleInfo, 'strategy' | 'onStockOutage'>): Decider =>
  onStockOutage === 'database' ? decideByRoute : DECIDERS[strategy];
