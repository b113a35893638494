-- When a session's owner last showed who they are (decision 084): signing in counts, also by a release that knows nothing of it.
ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
