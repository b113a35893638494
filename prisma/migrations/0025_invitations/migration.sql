-- Who was invited to work at the desk, as what. The link's token is known to nobody but its reader: only its hash is here.
CREATE TABLE invitations (
  id           text           NOT NULL PRIMARY KEY,
  email        text           NOT NULL CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  role         text           NOT NULL CHECK (role IN ('merchant', 'support', 'auditor', 'operator', 'admin')),
  -- SHA-256, in hex.
  token_hash   char(64)       NOT NULL,
  -- User id, or command.
  invited_by   text           NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at   timestamptz(3) NOT NULL,
  -- Once: set together with the account it made or changed.
  used_at      timestamptz(3),
  user_id      text,
  -- A later invitation of the same address took its place.
  withdrawn_at timestamptz(3),
  CONSTRAINT invitations_used_check CHECK ((used_at IS NULL) = (user_id IS NULL)),
  CONSTRAINT invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);
CREATE UNIQUE INDEX invitations_one_open_idx ON invitations (email) WHERE used_at IS NULL AND withdrawn_at IS NULL;
