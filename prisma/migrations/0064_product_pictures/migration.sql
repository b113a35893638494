-- A product's own pictures, first to last (decision 134). The first one is products.image_url as well, which the release
-- before shows and edits: where the two differ, image_url is right.
CREATE TABLE product_pictures (
  product_id text     NOT NULL,
  position   smallint NOT NULL CHECK (position BETWEEN 0 AND 7),
  hash       text     NOT NULL,
  -- It describes the picture; empty: it is decoration.
  alt        text     NOT NULL CHECK (length(alt) <= 200),
  PRIMARY KEY (product_id, position),
  CONSTRAINT product_pictures_product_id_fkey FOREIGN KEY (product_id) REFERENCES products (id) ON UPDATE CASCADE ON DELETE CASCADE,
  -- A picture that a product shows can't be removed.
  CONSTRAINT product_pictures_hash_fkey FOREIGN KEY (hash) REFERENCES media (hash) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE UNIQUE INDEX product_pictures_product_id_hash_key ON product_pictures (product_id, hash);
CREATE INDEX product_pictures_hash_idx ON product_pictures (hash);
