-- What a shop asks for a parcel, and the tax that a price includes (decision 145).
ALTER TABLE products
  -- Hundredths of a percent: 1900 is 19 %. Null: the merchant says nothing.
  ADD COLUMN tax_rate integer,
  ADD COLUMN weight_grams integer,
  ADD CONSTRAINT products_tax_rate_check CHECK (tax_rate BETWEEN 0 AND 10000) NOT VALID,
  ADD CONSTRAINT products_weight_grams_check CHECK (weight_grams BETWEEN 1 AND 1000000) NOT VALID;

-- The product's when the sale was published, so that receipts stay as they are.
ALTER TABLE sales ADD COLUMN tax_rate integer;

-- The rules by which a parcel costs something: the first that fits.
ALTER TABLE shops ADD COLUMN shipping jsonb NOT NULL DEFAULT '[]';

-- What of an order's amount is for its parcel. The release before asks for none.
ALTER TABLE orders ADD COLUMN shipping_minor integer NOT NULL DEFAULT 0;
ALTER TABLE orders
  DROP CONSTRAINT orders_amount_check,
  ADD CONSTRAINT orders_amount_check
    CHECK (shipping_minor >= 0 AND amount_minor::bigint = unit_price_minor::bigint * quantity + shipping_minor) NOT VALID;
