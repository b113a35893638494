-- The shop's own pages, terms, privacy and contact, each in the languages in which somebody has written it (decision 101).
-- A release that knows none of it shows no such pages, as before.
CREATE TABLE site_texts (
  page       text           NOT NULL CHECK (page IN ('terms', 'privacy', 'contact')),
  locale     text           NOT NULL CHECK (locale ~ '^[A-Za-z-]{2,20}$'),
  -- Empty: taken back. The row stays, so that its version goes on.
  text       text           NOT NULL CHECK (char_length(text) <= 50000),
  version    integer        NOT NULL CHECK (version > 0),
  changed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (page, locale)
);
