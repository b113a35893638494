-- How a product reaches its buyer (decision 136). Null, as the release before leaves it: nothing is said, no address is asked.
ALTER TABLE products
  ADD COLUMN delivery text,
  ADD COLUMN pickup_place text,
  ADD CONSTRAINT products_delivery_check CHECK (
    coalesce(delivery IN ('parcel', 'digital', 'pickup'), true)
    AND (delivery IS NOT DISTINCT FROM 'pickup') = (pickup_place IS NOT NULL)) NOT VALID;

-- Where an order's parcel goes, and how far it is. The shopper's first address makes the row. It is inserted by a selection
-- from orders: a foreign key would lock them while this runs.
CREATE TABLE deliveries (
  shard           smallint       NOT NULL,
  order_id        bigint         NOT NULL,
  sale_id         text           NOT NULL,
  -- A copy: what changes in the account later leaves it alone. Null: forgotten.
  address         jsonb,
  step            text           NOT NULL DEFAULT 'waiting'
    CHECK (step IN ('waiting', 'packed', 'shipped', 'delivered', 'returned')),
  carrier         text,
  tracking_number text,
  tracking_url    text           CHECK (tracking_url ~ '^https?://'),
  packed_at       timestamptz(3),
  shipped_at      timestamptz(3),
  delivered_at    timestamptz(3),
  returned_at     timestamptz(3),
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (shard, order_id),
  CONSTRAINT deliveries_gene_check CHECK (shard = (order_id & 1023)),
  CONSTRAINT deliveries_times_check CHECK (
    (packed_at IS NOT NULL) = (step <> 'waiting')
    AND (shipped_at IS NOT NULL) = (step IN ('shipped', 'delivered', 'returned'))
    AND (step <> 'delivered' OR delivered_at IS NOT NULL)
    AND (delivered_at IS NULL OR step IN ('delivered', 'returned'))
    AND (returned_at IS NOT NULL) = (step = 'returned')),
  CONSTRAINT deliveries_tracking_check CHECK (
    shipped_at IS NOT NULL OR (carrier IS NULL AND tracking_number IS NULL AND tracking_url IS NULL))
);
-- The list of what is to be packed, on its way, …
CREATE INDEX deliveries_sale_id_step_order_id_idx ON deliveries (sale_id, step, order_id);
-- Addresses are forgotten in the order of their rows' last changes.
CREATE INDEX deliveries_forget_idx ON deliveries (updated_at) WHERE address IS NOT NULL;

-- What an account keeps for its next orders.
CREATE TABLE saved_addresses (
  id         text           NOT NULL,
  user_id    text           NOT NULL,
  address    jsonb          NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- When it was changed, or given to an order, last.
  used_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  CONSTRAINT saved_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX saved_addresses_user_id_idx ON saved_addresses (user_id);
