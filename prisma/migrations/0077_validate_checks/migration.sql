-- Reads the tables once, beside all who change them.
ALTER TABLE products VALIDATE CONSTRAINT products_tax_rate_check;
ALTER TABLE products VALIDATE CONSTRAINT products_weight_grams_check;
ALTER TABLE users VALIDATE CONSTRAINT users_muted_mails_check;
ALTER TABLE orders VALIDATE CONSTRAINT orders_variant_check;
ALTER TABLE orders VALIDATE CONSTRAINT orders_amount_check;
