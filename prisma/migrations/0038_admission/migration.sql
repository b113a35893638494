-- How a sale admits people (decisions 071 to 073): first come; a line that is shuffled at the start; or a draw. And whether
-- released units go to those who wait for them.
ALTER TABLE sales
  ADD COLUMN admission text NOT NULL DEFAULT 'first_come'
    CHECK (admission IN ('first_come', 'waiting_room', 'draw')),
  ADD COLUMN waitlist boolean NOT NULL DEFAULT false,
  ADD COLUMN draw_weights text NOT NULL DEFAULT 'equal' CHECK (draw_weights IN ('equal', 'level', 'bought_before')),
  ADD COLUMN one_place_per_device boolean NOT NULL DEFAULT false,
  ADD COLUMN places_per_network integer NOT NULL DEFAULT 0 CHECK (places_per_network BETWEEN 0 AND 10000),
  -- A script in Redis gives released units and won ones to whoever is next: it needs an undivided stock there, and an end of it.
  ADD CONSTRAINT sales_given_check CHECK (NOT (waitlist OR admission = 'draw') OR (
    waitlist AND slices = 1 AND strategy <> 'database' AND on_stock_outage = 'closed' AND total_stock <> -1)),
  ADD CONSTRAINT sales_draw_check CHECK (admission <> 'draw' OR reservation_opens_at IS NULL);

-- The line of a sale with a waiting room or a draw: one row, made when the sale is published.
CREATE TABLE lines (
  sale_id       text        NOT NULL PRIMARY KEY REFERENCES sales (id) ON UPDATE CASCADE ON DELETE CASCADE,
  -- SHA-256 of the seed, published before anybody can join; the seed itself is published once it has been used.
  seed_hash     bytea       NOT NULL,
  seed          bytea       NOT NULL,
  -- Of the pseudonyms in the published list. Its own, because those must stay when the shop's secrets change.
  pseudonym_key bytea       NOT NULL DEFAULT
    sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
    CHECK (octet_length(pseudonym_key) = 32),
  -- The number of the next who joins: 0, 1, 2 …
  next_number   integer     NOT NULL DEFAULT 0,
  -- Set together, when those who joined before the start are shuffled: how many they are, the digest of what they brought, and
  -- a public random value, where one was reachable.
  early         integer,
  nonces_digest bytea,
  beacon        text,
  -- The public source that was asked, also if it gave nothing in time. NULL with a shuffle: none is set.
  beacon_url    text,
  shuffled_at   timestamptz(3),
  -- Until when a worker has the draw for itself.
  drawing_until timestamptz(3),
  -- When everybody who was drawn stood in the line for units.
  enlisted_at   timestamptz(3),
  -- Of a waiting room: places below `admitted` may enter; those below `lapsed` no longer, their time is over.
  admitted      integer     NOT NULL DEFAULT 0,
  lapsed        integer     NOT NULL DEFAULT 0,
  -- When `admitted` rose to what, for as long as it takes a place to lapse: [[ms, admitted], …].
  steps         jsonb       NOT NULL DEFAULT '[]',
  -- How many a merchant admits per minute at most; NULL: as many as the stock and the machines allow.
  per_minute    integer,
  held          boolean     NOT NULL DEFAULT false,
  -- Nobody joins any more.
  closed        boolean     NOT NULL DEFAULT false,
  -- Everybody who waits may enter at once; the merchant's choice.
  opened        boolean     NOT NULL DEFAULT false,
  -- How many a second the machines have shown to take.
  machine_rate  double precision NOT NULL DEFAULT 50 CHECK (machine_rate BETWEEN 1 AND 100000),
  -- What may be admitted at the next step and was not yet, less than one step's worth.
  credit        double precision NOT NULL DEFAULT 0 CHECK (credit >= 0),
  -- When a worker last looked after it.
  tended_at     timestamptz(3),
  version       integer     NOT NULL DEFAULT 1,
  -- Which version of the settings that staff make: every step of the line counts `version` up, only they count this.
  settings_version integer  NOT NULL DEFAULT 1,
  updated_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT lines_seed_check CHECK (octet_length(seed) = 32 AND seed_hash = sha256(seed)),
  CONSTRAINT lines_shuffled_check CHECK (
    (early IS NULL) = (shuffled_at IS NULL) AND (early IS NULL) = (nonces_digest IS NULL)
    AND (early IS NULL OR early BETWEEN 0 AND next_number)),
  CONSTRAINT lines_beacon_check CHECK (beacon IS NULL OR early IS NOT NULL),
  CONSTRAINT lines_enlisted_check CHECK (enlisted_at IS NULL OR shuffled_at IS NOT NULL),
  CONSTRAINT lines_admitted_check CHECK (0 <= lapsed AND lapsed <= admitted),
  CONSTRAINT lines_per_minute_check CHECK (per_minute BETWEEN 1 AND 1000000)
);

-- Who joins again after leaving gets a new row at the back and keeps the old one, which is marked as left: so numbers are
-- contiguous, and what was shuffled can be recomputed for ever.
CREATE TABLE line_entries (
  sale_id    text        NOT NULL REFERENCES lines (sale_id) ON UPDATE CASCADE ON DELETE CASCADE,
  user_id    text        NOT NULL REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
  number     integer     NOT NULL CHECK (number >= 0),
  -- Random, from the browser: it goes into the shuffle, so that nobody knows the order beforehand.
  nonce      bytea       NOT NULL CHECK (octet_length(nonce) = 16),
  -- How many tickets it has in a draw.
  weight     smallint    NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 100),
  -- Keyed hashes. The device alone where the sale gives one place to each.
  device     text,
  network    text,
  joined_at  timestamptz(3) NOT NULL,
  -- When it was admitted and used that: got an entry token.
  entered_at timestamptz(3),
  left_at    timestamptz(3),
  -- 0, 1, 2 …, once drawn. Of a waiting room it is computed instead.
  place       integer CHECK (place >= 0),
  -- Why somebody who was drawn gets nothing.
  passed_over text
    CHECK (passed_over IN ('left', 'banned', 'blocked', 'level_too_low', 'account_too_new', 'email_unverified')),
  -- Of the purchase that it may become. Written before the entry is put in line for a unit: whoever repeats that uses the same.
  order_no    bigint,
  CONSTRAINT line_entries_drawn_check CHECK (passed_over IS NULL OR place IS NOT NULL),
  PRIMARY KEY (sale_id, number)
);
CREATE UNIQUE INDEX line_entries_live_key ON line_entries (sale_id, user_id) WHERE left_at IS NULL;
CREATE UNIQUE INDEX line_entries_device_key ON line_entries (sale_id, device) WHERE device IS NOT NULL AND left_at IS NULL;
CREATE INDEX line_entries_network_idx ON line_entries (sale_id, network) WHERE network IS NOT NULL AND left_at IS NULL;
-- Those who may be about to buy: a worker counts them twice a second.
CREATE INDEX line_entries_entered_idx ON line_entries (sale_id, entered_at) WHERE entered_at IS NOT NULL;
CREATE UNIQUE INDEX line_entries_place_key ON line_entries (sale_id, place) WHERE place IS NOT NULL;
CREATE INDEX line_entries_user_idx ON line_entries (user_id);
