import { OutageError } from '@/lib/errors/outage-error';

/** Redis does not hold a sale as Postgres knows it: lost, or being rebuilt, which takes seconds. */
export class StockNotLoadedError extends OutageError {
  override name = 'StockNotLoadedError';
}
