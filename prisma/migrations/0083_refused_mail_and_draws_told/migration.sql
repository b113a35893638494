-- Since when a mail server refuses an account's address for good (decision 146). The release before does not look, and mails as before.
ALTER TABLE users ADD COLUMN mail_refused_at timestamptz(3);

-- When every unit of a draw had an order, and below which place the others have been told that they were not drawn.
ALTER TABLE lines
  ADD COLUMN settled_at timestamptz(3),
  ADD COLUMN told integer NOT NULL DEFAULT 0;
