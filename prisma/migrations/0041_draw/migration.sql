-- The draw (decision 073): its result is written with the entries, in the transaction that draws.
ALTER TABLE lines
  -- Of the pseudonyms in the published list. Its own, because those must stay when the shop's secrets change.
  ADD COLUMN pseudonym_key bytea NOT NULL DEFAULT
    sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
    CHECK (octet_length(pseudonym_key) = 32),
  -- The public source that was asked, also if it gave nothing in time. NULL with a shuffle: none is set.
  ADD COLUMN beacon_url text,
  -- Until when a worker has the draw for itself.
  ADD COLUMN drawing_until timestamptz(3),
  -- When everybody who was drawn stood in the line for units.
  ADD COLUMN enlisted_at timestamptz(3),
  ADD CONSTRAINT lines_beacon_check CHECK (beacon IS NULL OR early IS NOT NULL),
  ADD CONSTRAINT lines_enlisted_check CHECK (enlisted_at IS NULL OR shuffled_at IS NOT NULL);

ALTER TABLE line_entries
  -- 0, 1, 2 …, once drawn. Of a waiting room it is computed instead.
  ADD COLUMN place integer CHECK (place >= 0),
  -- Why somebody who was drawn gets nothing.
  ADD COLUMN passed_over text
    CHECK (passed_over IN ('left', 'banned', 'blocked', 'level_too_low', 'account_too_new', 'email_unverified')),
  -- Of the purchase that it may become. Written before the entry is put in line for a unit: whoever repeats that uses the same.
  ADD COLUMN order_no bigint,
  ADD CONSTRAINT line_entries_drawn_check CHECK (passed_over IS NULL OR place IS NOT NULL);
CREATE UNIQUE INDEX line_entries_place_key ON line_entries (sale_id, place) WHERE place IS NOT NULL;

-- As Prisma's schema says it.
ALTER TABLE lines ALTER COLUMN updated_at SET DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE waitlist_entries ALTER COLUMN joined_at SET DEFAULT CURRENT_TIMESTAMP;
