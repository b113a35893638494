-- Places that were left: how many people are in a line is read four times a second by every web process, until its start.
DROP INDEX CONCURRENTLY IF EXISTS line_entries_left_idx;
CREATE INDEX CONCURRENTLY line_entries_left_idx ON line_entries (sale_id) WHERE left_at IS NOT NULL;
