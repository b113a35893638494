-- Turns in a waiting room that were left while their entry token was good: every process that sells follows them, by numbers
-- that commit in their order (decision 072).
ALTER TABLE line_entries ADD COLUMN turn_left_change bigint;
CREATE SEQUENCE line_entries_turn_left_seq OWNED BY line_entries.turn_left_change;
