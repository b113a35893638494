-- Safe beside the last release: that one does not know the column, and leaves out its own overtaken rounds as before.
-- The claim of the latest round whose readings were applied: a slow round counts until a later one has.
ALTER TABLE alert_evaluation ADD COLUMN applied_at timestamptz(3);
