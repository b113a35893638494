-- Who may not take part, and until when. Every web process holds the live ones in memory and follows `change`.
CREATE TABLE blocks (
  id         BIGSERIAL      NOT NULL PRIMARY KEY,
  -- Raised by every change of a row, under a lock that makes the numbers commit in their order: whoever has read up to
  -- one of them has missed nothing below it.
  change     BIGSERIAL      NOT NULL,
  kind       text           NOT NULL CHECK (kind IN ('user', 'ip', 'device')),
  -- User id; address or network, as `lib/block/parse-network.ts` spells it; device id.
  value      text           NOT NULL CHECK (value <> ''),
  reason     text           NOT NULL,
  -- User id, or rule:<id>.
  blocked_by text           NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- NULL: until it is lifted.
  expires_at timestamptz(3),
  lifted_at  timestamptz(3),
  -- NULL beside lifted_at: it had expired when the next block of the same subject came.
  lifted_by  text,
  CONSTRAINT blocks_lifted_check CHECK (lifted_by IS NULL OR lifted_at IS NOT NULL)
);
CREATE UNIQUE INDEX blocks_change_key ON blocks (change);
CREATE INDEX blocks_kind_value_idx ON blocks (kind, value);
-- Blocking again extends the block there is.
CREATE UNIQUE INDEX blocks_one_live_idx ON blocks (kind, value) WHERE lifted_at IS NULL;

-- Thresholds a sale may set, and what one of them asks for.
ALTER TABLE users ADD COLUMN email_verified_at timestamptz(3);
ALTER TABLE sales
  ADD COLUMN min_account_age_sec    integer NOT NULL DEFAULT 0 CHECK (min_account_age_sec >= 0),
  ADD COLUMN require_verified_email boolean NOT NULL DEFAULT false;
