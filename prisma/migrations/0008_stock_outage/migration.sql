-- What a sale does when the Redis that holds its stock can't be reached: stay closed, or sell through Postgres.
ALTER TABLE "sales"
  ADD COLUMN "on_stock_outage" TEXT NOT NULL DEFAULT 'closed',
  ADD COLUMN "stock_mode" TEXT NOT NULL DEFAULT 'redis',
  ADD COLUMN "stock_mode_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "stock_margin" INTEGER NOT NULL DEFAULT 0,
  -- Where another strategy decides there is nothing to go over from, or to.
  ADD CONSTRAINT "sales_on_stock_outage_check"
    CHECK ("on_stock_outage" = 'closed' OR ("on_stock_outage" = 'database' AND "strategy" = 'script')),
  ADD CONSTRAINT "sales_stock_mode_check"
    CHECK ("stock_mode" = 'redis'
           OR ("stock_mode" IN ('draining', 'database', 'rebuilding') AND "on_stock_outage" = 'database')),
  ADD CONSTRAINT "sales_stock_margin_check" CHECK ("stock_margin" >= 0);
CREATE INDEX "sales_with_fallback_idx" ON "sales" ("ends_at") WHERE "on_stock_outage" = 'database';

-- How many units each web process may accept through Redis under one loading of the stock. Granted before they are
-- accepted, so that what Redis has promised is bounded by what Postgres knows, whoever dies.
CREATE TABLE "stock_grants" (
  "sale_id"    TEXT    NOT NULL,
  "epoch"      INTEGER NOT NULL,
  "grant_id" TEXT    NOT NULL,
  "granted"    INTEGER NOT NULL,
  -- Set when the process accepts no more: how many it may have accepted at most.
  "accepted"   INTEGER,
  CONSTRAINT "stock_grants_pkey" PRIMARY KEY ("sale_id", "epoch", "grant_id"),
  CONSTRAINT "stock_grants_accepted_check" CHECK ("granted" >= 0 AND "accepted" BETWEEN 0 AND "granted"),
  CONSTRAINT "stock_grants_sale_id_fkey" FOREIGN KEY ("sale_id") REFERENCES "sales" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
