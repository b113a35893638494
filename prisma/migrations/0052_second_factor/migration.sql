-- A second factor at sign-in (decision 118). The release before knows none: it signs in by the password alone.
-- Null: the account has none. It stands here so that signing in without one needs no further query.
ALTER TABLE users ADD COLUMN second_factor_at timestamptz(3);

-- An app that makes one-time codes.
CREATE TABLE totp_factors (
  user_id        text           NOT NULL,
  -- Encrypted with a key derived from ENTRY_SECRET; key_mark tells which, so that older ones are sealed again.
  sealed_secret  text           NOT NULL,
  key_mark       text           NOT NULL,
  -- The session that set it up: no other one may confirm it.
  session_id     text           NOT NULL,
  -- The last step of 30 s whose code was used: a code is good once.
  last_step      integer        NOT NULL DEFAULT 0,
  created_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Null: its owner has not shown a code yet.
  confirmed_at   timestamptz(3),
  PRIMARY KEY (user_id),
  CONSTRAINT totp_factors_last_step_check CHECK (last_step >= 0),
  CONSTRAINT totp_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- Codes that stand in for the second factor, each once: a used one is deleted.
CREATE TABLE recovery_codes (
  user_id    text     NOT NULL,
  -- SHA-256 in hex.
  code_hash  char(64) NOT NULL,
  PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);
