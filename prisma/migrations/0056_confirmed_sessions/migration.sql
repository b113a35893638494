-- When a session's owner last showed who they are (decision 122). Signing in counts, also by the release before, which
-- knows nothing of this column.
ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
