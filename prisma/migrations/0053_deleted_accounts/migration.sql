-- Accounts that their owners deleted (decision 117). The row stays without what tells who it was, because orders name it.
-- The release before knows only bans, so a deleted account is banned, too, and that release can't unban it.
ALTER TABLE users ADD COLUMN deleted_at timestamptz(3);
ALTER TABLE users ADD CONSTRAINT users_deleted_check CHECK (deleted_at IS NULL OR banned_at IS NOT NULL) NOT VALID;
