-- Payments and the history of orders are to lie in partitions like orders: by the gene, so that what belongs to an order has
-- the same remainder everywhere (decision 067). A table with rows can't be made one of sixteen hash partitions. So new tables
-- are made here, and triggers write into them what changes from now on; the next migration copies the rest in batches and
-- swaps the names.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE payments_by_gene (
  LIKE payments INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
  CONSTRAINT payments_by_gene_pkey PRIMARY KEY (shard, order_id),
  -- The primary key can't be the id without the gene. The id follows from it, and so is unique, too.
  CONSTRAINT payments_id_check CHECK (id = 'pay_' || order_id),
  CONSTRAINT payments_gene_check CHECK (shard = (order_id & 1023))
) PARTITION BY HASH (shard);
CREATE INDEX payments_by_gene_to_query_idx ON payments_by_gene (next_query_at) WHERE next_query_at IS NOT NULL;
CREATE INDEX payments_by_gene_refund_due_idx ON payments_by_gene (updated_at) WHERE status = 'refund_due';
-- The release before looks payments up by id alone.
CREATE INDEX payments_by_gene_id_idx ON payments_by_gene (id);

-- A change belongs to its order's history by the order's number; a number of its own would need an index over all partitions.
CREATE TABLE order_events_by_gene (
  LIKE order_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
  CONSTRAINT order_events_by_gene_pkey PRIMARY KEY (shard, id)
) PARTITION BY HASH (shard);
CREATE INDEX order_events_by_gene_shard_order_id_id_idx ON order_events_by_gene (shard, order_id, id);

-- Safe beside the last release: the partitions are of tables made above, which nobody uses yet.
DO $$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format('CREATE TABLE payments_p%s PARTITION OF payments_by_gene FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
    EXECUTE format('CREATE TABLE order_events_p%s PARTITION OF order_events_by_gene FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
  END LOOP;
END $$;
SELECT copy_grants('payments', 'payments_by_gene');
SELECT copy_grants('order_events', 'order_events_by_gene');

-- How far the copy has come.
CREATE TABLE copied_by_gene (is_only BOOLEAN PRIMARY KEY CHECK (is_only), payment_id TEXT NOT NULL, event_id BIGINT NOT NULL);
INSERT INTO copied_by_gene VALUES (true, '', 0);

-- Whoever writes may have no right to the new tables under these names.
CREATE FUNCTION copy_payments() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM payments_by_gene n USING gone WHERE n.shard = gone.shard AND n.order_id = gone.order_id;
    RETURN NULL;
  END IF;
  -- Later than the copy of the row, which leaves alone what is there.
  INSERT INTO payments_by_gene SELECT * FROM written
  ON CONFLICT (shard, order_id) DO UPDATE SET
    (provider, amount_minor, currency, status, settled_at, refunded_at, version, created_at, updated_at, opened_at,
     next_query_at, refund_decided_at, queries, taken_minor, taken_currency)
    = (EXCLUDED.provider, EXCLUDED.amount_minor, EXCLUDED.currency, EXCLUDED.status, EXCLUDED.settled_at, EXCLUDED.refunded_at,
       EXCLUDED.version, EXCLUDED.created_at, EXCLUDED.updated_at, EXCLUDED.opened_at, EXCLUDED.next_query_at,
       EXCLUDED.refund_decided_at, EXCLUDED.queries, EXCLUDED.taken_minor, EXCLUDED.taken_currency);
  RETURN NULL;
END $$;
CREATE TRIGGER copy_inserted AFTER INSERT ON payments
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION copy_payments();
CREATE TRIGGER copy_updated AFTER UPDATE ON payments
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION copy_payments();
CREATE TRIGGER copy_deleted AFTER DELETE ON payments
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION copy_payments();

CREATE FUNCTION copy_order_events() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO order_events_by_gene SELECT * FROM written ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER copy_inserted AFTER INSERT ON order_events
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION copy_order_events();
