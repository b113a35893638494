-- Orders are looked up by number many times each. Over sixteen partitions with their indexes Postgres plans such a
-- statement for 3 to 6 ms and then runs it for less than one. It keeps the plan of a statement inside a function, for each
-- connection, whatever pooler stands in between. A kept plan must suit a table that has grown since, so the settings leave
-- it only index probes (as in migration 0004).

CREATE FUNCTION orders_numbered(numbers BIGINT[]) RETURNS SETOF orders LANGUAGE plpgsql STABLE ROWS 100
  SET plan_cache_mode = force_generic_plan
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  RETURN QUERY
  SELECT o.* FROM unnest(numbers) AS n (id) JOIN orders o ON o.shard = (n.id & 1023)::SMALLINT AND o.id = n.id;
END $$;

-- Orders of a sale that are unpaid and due, the oldest deadline first. Without sorting, the plan reads the index of
-- deadlines and not all orders of the sale.
CREATE FUNCTION due_orders(of_sale TEXT, at_most INTEGER) RETURNS SETOF orders LANGUAGE plpgsql STABLE ROWS 100
  SET plan_cache_mode = force_generic_plan
  SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  RETURN QUERY
  SELECT o.* FROM orders o
  WHERE o.status = 'pending_payment' AND o.pay_by <= now() AND o.sale_id = of_sale
  ORDER BY o.pay_by LIMIT at_most;
END $$;

-- See `markSettled`.
CREATE FUNCTION settle_orders(numbers BIGINT[], outcomes TEXT[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  UPDATE orders o SET stock_settled_at = now()
  FROM (SELECT o.shard, o.id
        FROM unnest(numbers) AS n (id) JOIN orders o ON o.shard = (n.id & 1023)::SMALLINT AND o.id = n.id
        WHERE o.stock_settled_at IS NULL AND o.status = ANY (outcomes)
        ORDER BY o.id FOR UPDATE OF o) AS due
  WHERE o.shard = due.shard AND o.id = due.id;
END $$;

-- See `expireOrders`, which also counts the units.
CREATE FUNCTION expire_orders(of_sale TEXT, numbers BIGINT[])
  RETURNS TABLE (order_id BIGINT, user_id TEXT, units INTEGER) LANGUAGE plpgsql ROWS 100
  SET plan_cache_mode = force_generic_plan
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  RETURN QUERY
  WITH due AS (
    SELECT o.shard, o.id
    FROM unnest(numbers) AS n (id) JOIN orders o ON o.shard = (n.id & 1023)::SMALLINT AND o.id = n.id
    WHERE o.sale_id = of_sale AND o.status = 'pending_payment' AND o.pay_by <= now()
    ORDER BY o.id FOR UPDATE OF o
  ), expired AS (
    UPDATE orders o
    SET status = 'cancelled', cancelled_at = now(), end_reason = 'expired', version = o.version + 1,
        updated_at = now(), stock_settled_at = NULL
    FROM due
    WHERE o.shard = due.shard AND o.id = due.id AND o.status = 'pending_payment'
    RETURNING o.shard, o.id, o.user_id, o.quantity, o.pay_by
  ), noted AS (
    INSERT INTO order_events (shard, order_id, actor_kind, from_status, to_status, cause, data)
    SELECT e.shard, e.id, 'system', 'pending_payment', 'cancelled', 'expired',
           jsonb_build_object('payBy', floor(extract(epoch FROM e.pay_by) * 1000)::BIGINT)
    FROM expired e
  )
  SELECT e.id, e.user_id, e.quantity FROM expired e;
END $$;
