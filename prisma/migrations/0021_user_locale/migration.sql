-- The language of somebody's mails: that of the page where they registered or signed in last.
ALTER TABLE users ADD COLUMN locale text NOT NULL DEFAULT 'en' CHECK (char_length(locale) BETWEEN 2 AND 20);
