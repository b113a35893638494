-- Sign-in by OpenID Connect (decision 127): which account opens for whom a sign-in server vouches. The release before knows
-- none of it and signs in by passwords; an account without a password has the hash that no password has.
CREATE TABLE identities (
  id         text           NOT NULL,
  user_id    text           NOT NULL,
  issuer     text           NOT NULL,
  -- The server's own id of the person.
  subject    text           NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  CONSTRAINT identities_subject_check CHECK (length(subject) BETWEEN 1 AND 255),
  CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- An identity opens one account, and an account has one identity of each server.
CREATE UNIQUE INDEX identities_issuer_subject_key ON identities (issuer, subject);
CREATE UNIQUE INDEX identities_user_id_issuer_key ON identities (user_id, issuer);
