/** Redis does not hold a sale as Postgres knows it: lost, or being rebuilt, which takes seconds. Counts as an outage. */
export class StockNotLoadedError extends Error {
  override name = 'StockNotLoadedError';
}
