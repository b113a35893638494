-- A sale may sell several things, each with a stock of its own (decision 139). Together they are the sale's stock.
CREATE TABLE sale_variants (
  sale_id text     NOT NULL,
  number  smallint NOT NULL CHECK (number BETWEEN 1 AND 20),
  name    text     NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  -- The hash of one of the product's pictures.
  picture text,
  stock   integer  NOT NULL,
  held    integer  NOT NULL DEFAULT 0,
  sold    integer  NOT NULL DEFAULT 0,
  PRIMARY KEY (sale_id, number),
  CONSTRAINT sale_variants_committed_stock_check CHECK (held >= 0 AND sold >= 0 AND held + sold <= stock),
  CONSTRAINT sale_variants_sale_id_fkey FOREIGN KEY (sale_id) REFERENCES sales (id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT sale_variants_picture_fkey FOREIGN KEY (picture) REFERENCES media (hash) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX sale_variants_picture_idx ON sale_variants (picture);

-- 0: the sale has no variants, as the release before leaves it.
ALTER TABLE orders ADD COLUMN variant smallint NOT NULL DEFAULT 0;
ALTER TABLE orders ADD CONSTRAINT orders_variant_check CHECK (variant BETWEEN 0 AND 20) NOT VALID;

-- See `expireOrders`. The function of migration 0032, which does not tell the variant, stays for the release before.
CREATE FUNCTION expire_due_orders(numbers BIGINT[])
  RETURNS TABLE (order_id BIGINT, of_sale TEXT, buyer TEXT, units INTEGER, of_variant SMALLINT) LANGUAGE plpgsql ROWS 100
  SET plan_cache_mode = force_generic_plan
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  RETURN QUERY
  WITH due AS (
    SELECT o.shard, o.id
    FROM unnest(numbers) AS n (id) JOIN orders o ON o.shard = (n.id & 1023)::SMALLINT AND o.id = n.id
    WHERE o.status = 'pending_payment' AND o.pay_by <= now()
    ORDER BY o.id FOR UPDATE OF o
  ), expired AS (
    UPDATE orders o
    SET status = 'cancelled', cancelled_at = now(), end_reason = 'expired', version = o.version + 1,
        updated_at = now(), stock_settled_at = NULL
    FROM due
    WHERE o.shard = due.shard AND o.id = due.id AND o.status = 'pending_payment'
    RETURNING o.shard, o.id, o.sale_id, o.user_id, o.quantity, o.variant, o.pay_by
  ), noted AS (
    INSERT INTO order_events (shard, order_id, actor_kind, from_status, to_status, cause, data)
    SELECT e.shard, e.id, 'system', 'pending_payment', 'cancelled', 'expired',
           jsonb_build_object('payBy', floor(extract(epoch FROM e.pay_by) * 1000)::BIGINT)
    FROM expired e
  )
  SELECT e.id, e.sale_id, e.user_id, e.quantity, e.variant FROM expired e;
END $$;
