-- Turns in a waiting room that were left while their entry token was good: every process that sells follows them, by numbers
-- that commit in their order (decision 072).
ALTER TABLE line_entries ADD COLUMN turn_left_change bigint;
CREATE SEQUENCE line_entries_turn_left_seq OWNED BY line_entries.turn_left_change;
-- Safe beside the last release: no row has the column yet, so the index is empty, and reading the table takes a moment.
CREATE UNIQUE INDEX line_entries_turn_left_key ON line_entries (turn_left_change) WHERE turn_left_change IS NOT NULL;
