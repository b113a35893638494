-- Who reserved in which sale. Of two changes of one reservation the later one counts (cancelled_at, else reserved_at):
-- they come in batches from Redis, or straight from requests while Redis is down or not used by the sale.
CREATE TABLE reservations (
  sale_id      text           NOT NULL REFERENCES sales (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  user_id      text           NOT NULL REFERENCES users (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  reserved_at  timestamptz(3) NOT NULL,
  -- NULL: it stands.
  cancelled_at timestamptz(3),
  -- False: made while Redis was down, and Redis has to be told.
  in_redis     boolean        NOT NULL DEFAULT true,
  PRIMARY KEY (sale_id, user_id),
  CONSTRAINT reservations_cancelled_check CHECK (cancelled_at > reserved_at)
);
CREATE INDEX reservations_untold_idx ON reservations (sale_id, user_id) WHERE NOT in_redis;
