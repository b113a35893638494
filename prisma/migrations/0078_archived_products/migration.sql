-- A merchant may archive a product: no new sale sells it (decision 143). The release before does not look, and sells it as before.
ALTER TABLE products
  ADD COLUMN status text NOT NULL DEFAULT 'active',
  ADD CONSTRAINT products_status_check CHECK (status IN ('active', 'archived')) NOT VALID;
