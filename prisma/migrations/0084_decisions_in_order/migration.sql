-- Decisions of one transaction can fall into one millisecond, and then went into the log in any order: a wish that was left
-- after the one that replaced it. Microseconds keep them apart.
-- Safe beside the last release: a moment with more digits needs no row anew, and it writes and reads as before.
ALTER TABLE decision_batches ALTER COLUMN logged_at TYPE timestamptz(6);
