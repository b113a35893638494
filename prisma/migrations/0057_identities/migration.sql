-- Sign-in by OpenID Connect (decision 085): who a server says somebody is, and whose account that opens. A release that
-- knows none of it signs in by passwords, as before; an account without a password has a hash that none has, as one whose
-- address was taken back.
CREATE TABLE identities (
  id         text           NOT NULL,
  user_id    text           NOT NULL,
  issuer     text           NOT NULL,
  -- The server's own id of the person.
  subject    text           NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- An identity opens one account, and an account has one of each server.
CREATE UNIQUE INDEX identities_issuer_subject_key ON identities (issuer, subject);
CREATE UNIQUE INDEX identities_user_id_issuer_key ON identities (user_id, issuer);
