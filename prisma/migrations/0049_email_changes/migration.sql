-- Another e-mail address of an account, which the old address can undo (decision 111).

-- A change, from the request to the end of the time in which the old address can undo it.
CREATE TABLE email_changes (
  id              text           NOT NULL PRIMARY KEY,
  user_id         text           NOT NULL,
  -- The session that asked; it goes on when the others end.
  session_id      text           NOT NULL,
  -- The account's when it was asked; a higher one has voided the request. Orders an account's changes.
  session_version integer        NOT NULL,
  old_email       text           NOT NULL,
  -- When mail was known to reach the old address; comes back with it.
  old_verified_at timestamptz(3),
  new_email       text           NOT NULL,
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Until when the link to the new address is good.
  expires_at      timestamptz(3) NOT NULL,
  -- Until when the link to the old address is good.
  undo_until      timestamptz(3) NOT NULL,
  applied_at      timestamptz(3),
  -- A later request of the same account took its place.
  withdrawn_at    timestamptz(3),
  -- Stopped, or undone, from the old address.
  stopped_at      timestamptz(3),
  CONSTRAINT email_changes_applied_check CHECK (applied_at IS NULL OR withdrawn_at IS NULL),
  CONSTRAINT email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX email_changes_user_id_idx ON email_changes (user_id);
CREATE INDEX email_changes_undo_until_idx ON email_changes (undo_until);
CREATE UNIQUE INDEX email_changes_one_open_idx ON email_changes (user_id)
  WHERE applied_at IS NULL AND withdrawn_at IS NULL AND stopped_at IS NULL;
CREATE INDEX email_changes_held_idx ON email_changes (old_email) WHERE applied_at IS NOT NULL AND stopped_at IS NULL;

-- While a change can be undone, no other account gets the old address: otherwise a thief would register it, and nothing
-- could be undone. The release before obeys it, too. It runs after the row is in, so it sees every change that freed the
-- address. A restore writes what was so.
CREATE FUNCTION keep_left_addresses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT is_restoring() AND EXISTS (
       SELECT 1 FROM email_changes
       WHERE old_email = NEW.email AND applied_at IS NOT NULL AND stopped_at IS NULL AND undo_until > now()
         AND user_id <> NEW.id) THEN
    RAISE EXCEPTION 'the address was left by another account, which may still return to it'
      USING ERRCODE = 'unique_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_keep_left_addresses AFTER INSERT OR UPDATE OF email ON users
  FOR EACH ROW EXECUTE FUNCTION keep_left_addresses();
