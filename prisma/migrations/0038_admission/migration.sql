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
  -- The number of the next who joins: 0, 1, 2 …
  next_number   integer     NOT NULL DEFAULT 0,
  -- Set together, when those who joined before the start are shuffled: how many they are, the digest of what they brought, and
  -- a public random value, where one was reachable.
  early         integer,
  nonces_digest bytea,
  beacon        text,
  shuffled_at   timestamptz(3),
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
  version       integer     NOT NULL DEFAULT 1,
  updated_at    timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT lines_seed_check CHECK (octet_length(seed) = 32 AND seed_hash = sha256(seed)),
  CONSTRAINT lines_shuffled_check CHECK (
    (early IS NULL) = (shuffled_at IS NULL) AND (early IS NULL) = (nonces_digest IS NULL)
    AND (early IS NULL OR early BETWEEN 0 AND next_number)),
  CONSTRAINT lines_admitted_check CHECK (0 <= lapsed AND lapsed <= admitted),
  CONSTRAINT lines_per_minute_check CHECK (per_minute BETWEEN 1 AND 1000000)
);

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
  PRIMARY KEY (sale_id, user_id)
);
CREATE UNIQUE INDEX line_entries_number_key ON line_entries (sale_id, number);
CREATE UNIQUE INDEX line_entries_device_key ON line_entries (sale_id, device) WHERE device IS NOT NULL AND left_at IS NULL;
CREATE INDEX line_entries_network_idx ON line_entries (sale_id, network) WHERE network IS NOT NULL AND left_at IS NULL;
CREATE INDEX line_entries_user_idx ON line_entries (user_id);
