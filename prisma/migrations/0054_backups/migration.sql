-- When `npm run backup` has written a whole file, so that the shop can say how old the latest one is.
CREATE TABLE backups (
  taken_at timestamptz(3) PRIMARY KEY DEFAULT CURRENT_TIMESTAMP,
  bytes    bigint         NOT NULL CHECK (bytes > 0)
);
