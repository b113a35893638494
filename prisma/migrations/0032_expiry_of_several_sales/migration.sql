-- Orders of fifty sales that are due within the same half second are found by one look and expired by one statement
-- (decision 054). The functions of migration 0030 for one sale stay for processes of the release before, which may run
-- beside this one during an upgrade.

CREATE FUNCTION due_orders(of_sales TEXT[], at_most INTEGER) RETURNS SETOF orders LANGUAGE plpgsql STABLE ROWS 100
  SET plan_cache_mode = force_generic_plan
  SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  RETURN QUERY
  SELECT o.* FROM orders o
  WHERE o.status = 'pending_payment' AND o.pay_by <= now() AND o.sale_id = ANY (of_sales)
  ORDER BY o.pay_by LIMIT at_most;
END $$;

-- See `expireOrders`, which also counts the units.
CREATE FUNCTION expire_orders(numbers BIGINT[])
  RETURNS TABLE (order_id BIGINT, of_sale TEXT, buyer TEXT, units INTEGER) LANGUAGE plpgsql ROWS 100
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
    RETURNING o.shard, o.id, o.sale_id, o.user_id, o.quantity, o.pay_by
  ), noted AS (
    INSERT INTO order_events (shard, order_id, actor_kind, from_status, to_status, cause, data)
    SELECT e.shard, e.id, 'system', 'pending_payment', 'cancelled', 'expired',
           jsonb_build_object('payBy', floor(extract(epoch FROM e.pay_by) * 1000)::BIGINT)
    FROM expired e
  )
  SELECT e.id, e.sale_id, e.user_id, e.quantity FROM expired e;
END $$;
