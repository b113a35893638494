-- How long a sale's buy button stays locked after a click, in seconds. Every page did ten so far.
ALTER TABLE sales
  ADD COLUMN click_lock_sec integer NOT NULL DEFAULT 10 CHECK (click_lock_sec BETWEEN 1 AND 60);
