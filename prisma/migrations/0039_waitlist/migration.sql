-- Who waits for a unit that comes back (decision 071). Redis gives out numbers and units; a place is told to its shopper once it
-- is here, so that it outlives Redis.
ALTER TABLE sales ADD COLUMN waitlist_closed boolean NOT NULL DEFAULT false;

-- Of several places of a shopper the latest counts. It waits as long as it has not been left, no order has its number, and the
-- sale runs.
CREATE TABLE waitlist_entries (
  sale_id   text           NOT NULL REFERENCES sales (id) ON UPDATE CASCADE ON DELETE CASCADE,
  number    bigint         NOT NULL CHECK (number > 0),
  user_id   text           NOT NULL REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
  -- Of the purchase that it becomes.
  jti       text           NOT NULL,
  order_no  bigint         NOT NULL,
  joined_at timestamptz(3) NOT NULL DEFAULT now(),
  left_at   timestamptz(3),
  -- When its order had been written and its shopper was told.
  given_at  timestamptz(3),
  -- When its shopper had as many units as one person may have, though one was due.
  passed_at timestamptz(3),
  PRIMARY KEY (sale_id, number)
);
CREATE INDEX waitlist_entries_user_idx ON waitlist_entries (user_id, sale_id, number);
CREATE UNIQUE INDEX waitlist_entries_order_key ON waitlist_entries (order_no);
CREATE INDEX waitlist_entries_open_idx ON waitlist_entries (sale_id, number) WHERE left_at IS NULL AND given_at IS NULL AND passed_at IS NULL;
