-- Passkeys (decision 121): they sign in without a password. The release before knows none: it asks for a code of an app, or
-- a recovery code.
CREATE TABLE passkeys (
  id                 text           NOT NULL,
  user_id            text           NOT NULL,
  -- From the authenticator: the id in base64url, the key in COSE.
  credential_id      text           NOT NULL,
  public_key         bytea          NOT NULL,
  transports         text[]         DEFAULT ARRAY[]::text[],
  -- By which its owner knows it again.
  name               text           NOT NULL,
  -- How often the authenticator says it has signed; many always say 0. One that goes back is a copy.
  counter            bigint         NOT NULL DEFAULT 0,
  -- The moment of the newest challenge that it answered: older ones are void.
  last_challenge_at  timestamptz(3) NOT NULL,
  created_at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at       timestamptz(3),
  PRIMARY KEY (id),
  CONSTRAINT passkeys_credential_id_check CHECK (length(credential_id) <= 1400),
  CONSTRAINT passkeys_name_check CHECK (length(name) BETWEEN 1 AND 60),
  CONSTRAINT passkeys_counter_check CHECK (counter >= 0),
  CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys (credential_id);
CREATE INDEX passkeys_user_id_idx ON passkeys (user_id);
