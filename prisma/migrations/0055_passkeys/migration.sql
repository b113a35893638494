-- Passkeys (decision 084): a second factor, or a way to sign in without a password. A release that knows none asks for the
-- code of an app, or a recovery code.
CREATE TABLE passkeys (
  id                 text           NOT NULL,
  user_id            text           NOT NULL,
  -- As the authenticator made them: the id in base64url, the key in COSE.
  credential_id      text           NOT NULL CHECK (length(credential_id) <= 1400),
  public_key         bytea          NOT NULL,
  transports         text[]         DEFAULT ARRAY[]::text[],
  name               text           NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  -- How often the authenticator says it has signed; many always say 0. One that goes back is a copy.
  counter            bigint         NOT NULL DEFAULT 0 CHECK (counter >= 0),
  -- When the newest challenge that it answered was made: older ones are good for nothing any more.
  last_challenge_at  timestamptz(3) NOT NULL,
  created_at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at       timestamptz(3),
  PRIMARY KEY (id),
  CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys (credential_id);
CREATE INDEX passkeys_user_id_idx ON passkeys (user_id);
