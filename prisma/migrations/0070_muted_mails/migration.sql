-- Topics of mails that an account does not want (decision 138). The release before mails everything, as before.
ALTER TABLE users
  ADD COLUMN muted_mails text[] DEFAULT ARRAY[]::text[],
  ADD CONSTRAINT users_muted_mails_check CHECK (muted_mails <@ ARRAY['reminders', 'waiting']) NOT VALID;
