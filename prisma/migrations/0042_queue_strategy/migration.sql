-- A strategy more: purchases wait in a queue and are decided in its order.
ALTER TABLE "sales"
  DROP CONSTRAINT "sales_strategy_check",
  ADD CONSTRAINT "sales_strategy_check" CHECK ("strategy" IN ('script', 'database', 'lock', 'queue'));
