-- How a sale decides its purchases: the script in Redis, the database alone, or commands under a lock.
ALTER TABLE "sales" ADD COLUMN "strategy" TEXT NOT NULL DEFAULT 'script';
ALTER TABLE "sales" ADD CONSTRAINT "sales_strategy_check" CHECK ("strategy" IN ('script', 'database', 'lock'));

-- When the last unit went, for sales whose stock is not in Redis.
ALTER TABLE "sales" ADD COLUMN "sold_out_at" TIMESTAMPTZ(3);
