-- Uploaded pictures (decision 133). Their files lie in MEDIA_DIR under the hash; the row is written after them.
CREATE TABLE media (
  -- SHA-256 of the uploaded file, in hexadecimal digits.
  hash         text           NOT NULL PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{64}$'),
  -- The shop that uploaded it first.
  merchant_id  text           NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- No product has shown it since then. NULL: a product shows it.
  unused_since timestamptz(3) DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT media_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

-- How many a shop has uploaded lately.
CREATE INDEX media_merchant_id_created_at_idx ON media (merchant_id, created_at);
