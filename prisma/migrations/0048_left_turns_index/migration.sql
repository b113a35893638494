DROP INDEX CONCURRENTLY IF EXISTS line_entries_turn_left_key;
CREATE UNIQUE INDEX CONCURRENTLY line_entries_turn_left_key ON line_entries (turn_left_change) WHERE turn_left_change IS NOT NULL;
