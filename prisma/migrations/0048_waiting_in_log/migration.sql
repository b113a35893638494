-- Who stood where in a line, a draw or a waitlist, and what became of it, is in the sale's decision log too (decision 109).

-- Why its shopper could not have the unit that was due. NULL with `passed_at`: the release before this one noted it.
ALTER TABLE waitlist_entries ADD COLUMN passed_why text;

-- Since when places are logged: older ones have no leaves.
ALTER TABLE decision_log_start ADD COLUMN places_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- What concerns the whole sale is filed under the sale's own id. The hash of the seed and the rules, before anybody can join:
CREATE FUNCTION log_committed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT s.id, json_build_array(json_build_object('kind', 'committed', 'at', epoch_ms(clock_timestamp()), 'user', s.id,
           'detail', json_build_object('seedHash', encode(NEW.seed_hash, 'hex'), 'admission', s.admission,
                                       'weights', s.draw_weights)))
  FROM sales s WHERE s.id = NEW.sale_id;
  RETURN NULL;
END $$;
CREATE TRIGGER lines_log_committed AFTER INSERT ON lines FOR EACH ROW EXECUTE FUNCTION log_committed();

-- And what the order follows from.
CREATE FUNCTION log_placed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  VALUES (NEW.sale_id, json_build_array(json_build_object('kind', 'placed', 'at', epoch_ms(NEW.shuffled_at), 'user', NEW.sale_id,
           'detail', json_build_object('seed', encode(NEW.seed, 'hex'), 'noncesDigest', encode(NEW.nonces_digest, 'hex'),
                                       'beacon', NEW.beacon, 'count', NEW.early))));
  RETURN NULL;
END $$;
CREATE TRIGGER lines_log_placed AFTER UPDATE OF shuffled_at ON lines FOR EACH ROW
  WHEN (OLD.shuffled_at IS NULL AND NEW.shuffled_at IS NOT NULL) EXECUTE FUNCTION log_placed();

CREATE FUNCTION log_entered() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT sale_id, json_agg(decision ORDER BY number)
  FROM (SELECT sale_id, number, (row_number() OVER (PARTITION BY sale_id ORDER BY number) - 1) / 500 AS part,
               json_build_object('kind', 'entered', 'at', epoch_ms(joined_at), 'user', user_id, 'detail',
                                 json_build_object('number', number, 'nonce', encode(nonce, 'hex'))) AS decision
        FROM written) AS d
  GROUP BY sale_id, part;
  RETURN NULL;
END $$;
CREATE TRIGGER line_entries_log_entered AFTER INSERT ON line_entries
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION log_entered();

-- The result of a draw, and places that were left.
CREATE FUNCTION log_line_changes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT sale_id, json_agg(decision ORDER BY number)
  FROM (SELECT w.sale_id, w.number, (row_number() OVER (PARTITION BY w.sale_id ORDER BY w.number) - 1) / 500 AS part,
               json_build_object('kind', k.kind, 'at', epoch_ms(k.at), 'user', w.user_id, 'detail',
                 CASE k.kind WHEN 'drawn' THEN json_build_object('number', w.number, 'place', w.place, 'weight', w.weight,
                                                                 'passedOver', w.passed_over)
                             ELSE json_build_object('list', 'line', 'number', w.number) END) AS decision
        FROM written w JOIN before b ON b.sale_id = w.sale_id AND b.number = w.number
        CROSS JOIN LATERAL (
          SELECT 'drawn' AS kind, clock_timestamp() AS at WHERE b.place IS NULL AND w.place IS NOT NULL
          UNION ALL
          SELECT 'left', w.left_at WHERE b.left_at IS NULL AND w.left_at IS NOT NULL) AS k) AS d
  GROUP BY sale_id, part;
  RETURN NULL;
END $$;
CREATE TRIGGER line_entries_log_changes AFTER UPDATE ON line_entries
  REFERENCING OLD TABLE AS before NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION log_line_changes();

-- Who waits for a unit, under which number, for which order.
CREATE FUNCTION log_enlisted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT sale_id, json_agg(decision ORDER BY number)
  FROM (SELECT sale_id, number, (row_number() OVER (PARTITION BY sale_id ORDER BY number) - 1) / 500 AS part,
               json_build_object('kind', 'enlisted', 'at', epoch_ms(joined_at), 'user', user_id, 'order', order_no::text,
                                 'detail', json_build_object('number', number)) AS decision
        FROM written) AS d
  GROUP BY sale_id, part;
  RETURN NULL;
END $$;
CREATE TRIGGER waitlist_entries_log_enlisted AFTER INSERT ON waitlist_entries
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION log_enlisted();

-- Who got a unit that came back, whom it passed over and why, and who left.
CREATE FUNCTION log_waitlist_changes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT sale_id, json_agg(decision ORDER BY number)
  FROM (SELECT w.sale_id, w.number, (row_number() OVER (PARTITION BY w.sale_id ORDER BY w.number) - 1) / 500 AS part,
               json_build_object('kind', k.kind, 'at', epoch_ms(k.at), 'user', w.user_id, 'order', w.order_no::text, 'detail',
                 CASE k.kind WHEN 'passed_over' THEN json_build_object('number', w.number, 'why', coalesce(w.passed_why, 'not_recorded'))
                             WHEN 'left' THEN json_build_object('list', 'waitlist', 'number', w.number)
                             ELSE json_build_object('number', w.number) END) AS decision
        FROM written w JOIN before b ON b.sale_id = w.sale_id AND b.number = w.number
        CROSS JOIN LATERAL (
          SELECT 'given_on' AS kind, w.given_at AS at WHERE b.given_at IS NULL AND w.given_at IS NOT NULL
          UNION ALL
          SELECT 'passed_over', w.passed_at WHERE b.passed_at IS NULL AND w.passed_at IS NOT NULL
          UNION ALL
          SELECT 'left', w.left_at WHERE b.left_at IS NULL AND w.left_at IS NOT NULL) AS k) AS d
  GROUP BY sale_id, part;
  RETURN NULL;
END $$;
CREATE TRIGGER waitlist_entries_log_changes AFTER UPDATE ON waitlist_entries
  REFERENCING OLD TABLE AS before NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION log_waitlist_changes();

-- Nobody writes a place between a trigger above and the end of this: what is older than now has no leaf.
-- Safe beside the last release: one row.
UPDATE decision_log_start SET places_at = clock_timestamp();
