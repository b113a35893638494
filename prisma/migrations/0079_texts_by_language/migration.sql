-- Texts by language; a language that is missing has none of its own (decision 143). The release before shows the plain ones.
ALTER TABLE products ADD COLUMN texts jsonb NOT NULL DEFAULT '{}';
ALTER TABLE sales ADD COLUMN titles jsonb NOT NULL DEFAULT '{}';

-- Reads the products once, beside all who change them.
ALTER TABLE products VALIDATE CONSTRAINT products_status_check;
