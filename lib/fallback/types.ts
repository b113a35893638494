/**
 * Who sells a sale that can go over to Postgres, as its row says:
 * - `redis`: the script, within grants.
 * - `draining`: nobody; web processes write what Redis accepted and close their grants.
 * - `database`: Postgres, minus the margin.
 * - `rebuilding`: nobody; Redis is back, its outbox is written and the stock loaded anew.
 */
export type StockMode = 'redis' | 'draining' | 'database' | 'rebuilding';

/** Where a sale is sold, as of the last look. `epoch`: raised whenever Redis loses the sale or gets it back. */
export type Route = { saleId: string; mode: StockMode; epoch: number; total: number };
