-- How somebody wants to be told (decision 091). A release that knows none of it mails everything, with times in UTC, as before.
-- Null: their pages have not said. A name of the IANA database.
ALTER TABLE users ADD COLUMN time_zone text;
-- Mails that they do not want: reminders, waiting. The shop checks what stands there, so that adding the column reads no row.
ALTER TABLE users ADD COLUMN muted_mails text[] DEFAULT ARRAY[]::text[];
-- False: the language of the page on which they signed in last is that of the mails, too.
ALTER TABLE users ADD COLUMN is_locale_chosen boolean NOT NULL DEFAULT false;
