import 'server-only';
import { type SaleStrategy, STRATEGIES } from '@/lib/contract/words/sale';

/** Tells whether Postgres has the stock of a sale's row, always or just now. */
export const isInDatabase = ({ strategy, stockMode }: { strategy: string; stockMode: string }): boolean =>
  STRATEGIES[strategy as SaleStrategy].stock === 'postgres' || stockMode !== 'redis';
