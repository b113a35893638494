-- Who is signed in where. A cookie names its session; what is said here counts, whatever the cookie says.
CREATE TABLE sessions (
  id              text           NOT NULL PRIMARY KEY,
  user_id         text           NOT NULL,
  -- The account's when it began: an account that has a higher one by now has ended all of these.
  session_version integer        NOT NULL,
  -- In words, for its owner: "Firefox, Android".
  browser         text           NOT NULL DEFAULT '' CHECK (length(browser) <= 60),
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- However much it is used.
  expires_at      timestamptz(3) NOT NULL,
  -- To within minutes.
  last_seen_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ended_at        timestamptz(3),
  -- Given when it ends, under a lock that makes the numbers commit in their order: every web process follows them.
  change          bigint,
  CONSTRAINT sessions_ended_check CHECK ((ended_at IS NULL) = (change IS NULL)),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE SEQUENCE sessions_change_seq OWNED BY sessions.change;
CREATE UNIQUE INDEX sessions_change_key ON sessions (change);
-- Whoever signs in and out all day has many that are over.
CREATE INDEX sessions_live_idx ON sessions (user_id, last_seen_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_ended_at_idx ON sessions (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
