-- The waiting room (decision 072). Who joins again after leaving gets a new row at the back and keeps the old one, which is
-- marked as left: so numbers are contiguous, and what was shuffled can be recomputed for ever.
ALTER TABLE line_entries
  DROP CONSTRAINT line_entries_pkey,
  ADD PRIMARY KEY (sale_id, number);
DROP INDEX line_entries_number_key;
CREATE UNIQUE INDEX line_entries_live_key ON line_entries (sale_id, user_id) WHERE left_at IS NULL;

ALTER TABLE lines
  -- Which version of the settings that staff make: every step of the line counts `version` up, only they count this.
  ADD COLUMN settings_version integer NOT NULL DEFAULT 1,
  -- Everybody who waits may enter at once; the merchant's choice.
  ADD COLUMN opened boolean NOT NULL DEFAULT false,
  -- How many a second the machines have shown to take.
  ADD COLUMN machine_rate double precision NOT NULL DEFAULT 50 CHECK (machine_rate BETWEEN 1 AND 100000),
  -- What may be admitted at the next step and was not yet, less than one step's worth.
  ADD COLUMN credit double precision NOT NULL DEFAULT 0 CHECK (credit >= 0),
  -- When a worker last looked after it.
  ADD COLUMN tended_at timestamptz(3);

-- Those who may be about to buy: a worker counts them twice a second.
CREATE INDEX line_entries_entered_idx ON line_entries (sale_id, entered_at) WHERE entered_at IS NOT NULL;
