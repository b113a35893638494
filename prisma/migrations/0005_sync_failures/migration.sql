-- Changes that are in Postgres and could not be told to a copy of it yet: the cache in Redis, or the CDN. Here rather than
-- in Redis, because an unreachable Redis is the usual reason. For the desk to see; nothing is decided by these rows.
CREATE TABLE sync_failures (
  kind        text           NOT NULL CHECK (kind IN ('cache', 'cdn')),
  -- The copy that is out of step: once, however often and by whomever it is tried.
  name        text           NOT NULL,
  -- Id or slug of the sale it belongs to.
  subject     text           NOT NULL,
  since       timestamptz(3) NOT NULL,
  attempts    integer        NOT NULL CHECK (attempts > 0),
  -- NULL: nobody tries any more.
  next_try_at timestamptz(3),
  error       text           NOT NULL,
  -- When the old copy is gone by itself, or nobody needs to know any more.
  expires_at  timestamptz(3) NOT NULL,
  PRIMARY KEY (kind, name)
);
CREATE INDEX sync_failures_expires_at_idx ON sync_failures (expires_at);
