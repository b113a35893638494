-- Pictures that shops have uploaded (decision 093). The files lie in MEDIA_DIR, once each; a row says that a shop has
-- uploaded one of them. A release that knows none of it shows pictures by their addresses, as before.
CREATE TABLE media (
  merchant_id text           NOT NULL,
  -- SHA-256 of what was uploaded, in hexadecimal digits.
  hash        text           NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
  bytes       integer        NOT NULL CHECK (bytes > 0),
  width       integer        NOT NULL CHECK (width > 0),
  height      integer        NOT NULL CHECK (height > 0),
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (merchant_id, hash),
  CONSTRAINT media_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

-- How many a shop has uploaded lately.
CREATE INDEX media_merchant_id_created_at_idx ON media (merchant_id, created_at);
