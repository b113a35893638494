-- 0044 noted its own beginning as the start of the logs. Orders that were written between that and its triggers, with the
-- sale going on, have no leaf, and `verify` missed it. When it was done its triggers still kept all writers waiting.
-- Safe beside the last release: one row.
DO $$
BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    UPDATE decision_log_start s SET at = greatest(s.at, m.finished_at)
    FROM _prisma_migrations m WHERE m.migration_name = '0044_decision_log' AND m.finished_at IS NOT NULL;
  END IF;
END $$;
