-- Places that were left: how many people are in a line is read four times a second by every web process, until its start.
-- With it, counting 10,000 among 100,000 places took 1.2 ms; reading all of them 22.
DROP INDEX CONCURRENTLY IF EXISTS line_entries_left_idx;
CREATE INDEX CONCURRENTLY line_entries_left_idx ON line_entries (sale_id) WHERE left_at IS NOT NULL;
