-- Safe beside the last release: the new tables have all rows by then, and columns, constraints and names of the old ones; who can't lock
-- them within half a second tries again.
-- Puts the partitioned tables of migration 0034 in the place of those whose rows they have by now (`batch.sql`). Whatever
-- the release before says to the old names it says to the new tables: they have the same columns.
SET LOCAL lock_timeout = '500ms';
-- Or the first plans would be made for empty tables.
ANALYZE payments_by_gene;
ANALYZE order_events_by_gene;
-- One statement sees both tables at one moment: they hold the same, or the batches were not run.
DO $$
BEGIN
  IF (SELECT (count(*), sum(version), sum(queries)) FROM payments) <> (SELECT (count(*), sum(version), sum(queries)) FROM payments_by_gene)
     OR (SELECT count(*) FROM order_events) <> (SELECT count(*) FROM order_events_by_gene) THEN
    RAISE EXCEPTION 'payments or order_events are not copied: apply this migration by "npm run migrate"';
  END IF;
END $$;
LOCK TABLE payments, order_events, payment_events IN ACCESS EXCLUSIVE MODE;

-- A record of what happened must neither hinder nor be hindered; and no key of payments is the id alone any more.
ALTER TABLE payment_events DROP CONSTRAINT payment_events_payment_id_fkey;
ALTER SEQUENCE order_events_id_seq OWNED BY NONE;
DROP TABLE payments;
DROP TABLE order_events;
DROP TABLE copied_by_gene;
DROP FUNCTION copy_payments(), copy_order_events();

ALTER TABLE payments_by_gene RENAME TO payments;
ALTER INDEX payments_by_gene_pkey RENAME TO payments_pkey;
ALTER INDEX payments_by_gene_id_idx RENAME TO payments_id_idx;
ALTER INDEX payments_by_gene_to_query_idx RENAME TO payments_to_query_idx;
ALTER INDEX payments_by_gene_refund_due_idx RENAME TO payments_refund_due_idx;
ALTER TABLE order_events_by_gene RENAME TO order_events;
ALTER INDEX order_events_by_gene_pkey RENAME TO order_events_pkey;
ALTER INDEX order_events_by_gene_shard_order_id_id_idx RENAME TO order_events_shard_order_id_id_idx;
ALTER SEQUENCE order_events_id_seq OWNED BY order_events.id;

-- As in migration 0004.
ALTER TABLE payments ADD CONSTRAINT payments_shard_order_id_fkey FOREIGN KEY (shard, order_id)
  REFERENCES orders (shard, id) ON DELETE RESTRICT ON UPDATE CASCADE NOT ENFORCED;
CREATE TRIGGER payments_need_orders AFTER INSERT ON payments
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION payments_need_orders();
CREATE TRIGGER payments_keep_order BEFORE UPDATE OF shard, order_id ON payments
  FOR EACH ROW WHEN (OLD.shard <> NEW.shard OR OLD.order_id <> NEW.order_id)
  EXECUTE FUNCTION refuse_key_change();

-- As in migration 0006, also for whoever names a partition.
CREATE TRIGGER order_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON order_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
DO $$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format('CREATE TRIGGER order_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON order_events_p%s
                    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', part);
  END LOOP;
END $$;
