-- Marks of processed messages go when they are old (`pruneMarks`). A B-tree, not a BRIN index: rows that go leave room that
-- new ones take, so after one round the page ranges of a BRIN index would cover every time there is. Marks come in the order
-- of this index, and those of one statement share one entry.
CREATE INDEX processed_messages_processed_at_idx ON processed_messages (processed_at);

-- Staff and alerts look for the few that nobody has dealt with.
CREATE INDEX dead_letters_open_idx ON dead_letters (id) WHERE resolved_at IS NULL;
