import { OutageError } from '@/lib/errors/outage-error';

/**
 * Thrown when Redis does not hold a sale as Postgres knows it: the sale was lost, or a rebuild, which takes seconds,
 * is under way.
 */
export class StockNotLoadedError extends OutageError {
  override name = 'StockNotLoadedError';
}
