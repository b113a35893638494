-- How long the time of those who were let in has stood still in all (decision 072), and how long it had when a place was used.
ALTER TABLE lines ADD COLUMN stood_ms bigint NOT NULL DEFAULT 0;
ALTER TABLE line_entries ADD COLUMN stood_ms bigint;
