-- How a product reaches whoever bought it (decision 099): not at all, which is what a release that knows none of this takes
-- every product for, or by a parcel. The shop checks what stands here, so that adding the column reads no row.
ALTER TABLE products ADD COLUMN delivery text NOT NULL DEFAULT 'none';

-- Where an order goes, and how far it is. Its row is made when its shopper gives the address. Whoever inserts selects from
-- orders; a foreign key would lock them while this runs, and be looked at by every purchase.
CREATE TABLE deliveries (
  shard           smallint       NOT NULL,
  order_id        bigint         NOT NULL,
  sale_id         text           NOT NULL,
  -- A copy: what changes in the account later leaves it alone. Null: its owner has deleted the account.
  address         jsonb,
  state           text           NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'packed', 'shipped', 'delivered')),
  carrier         text,
  tracking_number text,
  tracking_url    text           CHECK (tracking_url LIKE 'https://%'),
  packed_at       timestamptz(3),
  shipped_at      timestamptz(3),
  delivered_at    timestamptz(3),
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (shard, order_id),
  CONSTRAINT deliveries_gene_check CHECK (shard = (order_id & 1023)),
  CONSTRAINT deliveries_times_check CHECK (
    (packed_at IS NOT NULL) = (state <> 'waiting')
    AND (shipped_at IS NOT NULL) = (state IN ('shipped', 'delivered'))
    AND (delivered_at IS NOT NULL) = (state = 'delivered')),
  CONSTRAINT deliveries_parcel_check CHECK (
    (shipped_at IS NOT NULL) = (carrier IS NOT NULL AND tracking_number IS NOT NULL)
    AND (shipped_at IS NOT NULL OR tracking_url IS NULL))
);
-- The list of what is to be packed.
CREATE INDEX deliveries_waiting_idx ON deliveries (sale_id, order_id) WHERE state = 'waiting';

-- What the form of the next order begins with.
CREATE TABLE saved_addresses (
  user_id    text           NOT NULL,
  address    jsonb          NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (user_id),
  CONSTRAINT saved_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);
