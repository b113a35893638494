-- What a line decides is in its sale's decision log too (decision 078): the commitment, who joined, the order, each result of
-- a draw, and what is given on. Triggers write it, as they write orders and refusals.

-- What the published list hashes to, written with the order. NULL with an order: it was made by the release before this one.
ALTER TABLE lines ADD COLUMN list_digest bytea;
ALTER TABLE lines ADD CONSTRAINT lines_list_digest_check CHECK (octet_length(list_digest) = 32) NOT VALID;

-- Since when the decisions of a line are logged: lines of sales that were published before have no leaves.
ALTER TABLE decision_log_start ADD COLUMN lines_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- One person has one pseudonym in a sale, in the list and in the log. So a line and its log have one key.
-- Safe beside the last release: new rows only, one for each sale with a line and without a log.
INSERT INTO decision_logs (sale_id, pseudonym_key)
SELECT sale_id, translate(encode(pseudonym_key, 'base64'), '+/=', '-_') FROM lines
ON CONFLICT DO NOTHING;
-- Safe beside the last release: one row for each sale with a line; nobody joins for as long as the rest of this file takes.
UPDATE lines l SET pseudonym_key = decode(translate(d.pseudonym_key, '-_', '+/') || '=', 'base64')
FROM decision_logs d WHERE d.sale_id = l.sale_id;

CREATE FUNCTION share_pseudonym_key() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE known text;
BEGIN
  IF is_restoring() THEN RETURN NEW; END IF;
  INSERT INTO decision_logs (sale_id, pseudonym_key)
  VALUES (NEW.sale_id, translate(encode(NEW.pseudonym_key, 'base64'), '+/=', '-_'))
  ON CONFLICT DO NOTHING;
  SELECT pseudonym_key INTO known FROM decision_logs WHERE sale_id = NEW.sale_id;
  NEW.pseudonym_key := decode(translate(known, '-_', '+/') || '=', 'base64');
  RETURN NEW;
END $$;
CREATE TRIGGER lines_share_key BEFORE INSERT ON lines FOR EACH ROW EXECUTE FUNCTION share_pseudonym_key();

-- The hash of the seed and the rule of the weights, before anybody can join; again if the rule is changed.
CREATE FUNCTION log_committed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT s.id, json_build_array(json_build_object('kind', 'committed', 'at', epoch_ms(clock_timestamp()), 'detail',
           json_build_object('seedHash', encode(l.seed_hash, 'hex'), 'admission', s.admission,
                             'weights', CASE s.admission WHEN 'draw' THEN s.draw_weights END)))
  FROM sales s JOIN lines l ON l.sale_id = s.id WHERE s.id = to_jsonb(NEW) ->> TG_ARGV[0];
  RETURN NULL;
END $$;
CREATE TRIGGER lines_log_committed AFTER INSERT ON lines
  FOR EACH ROW EXECUTE FUNCTION log_committed('sale_id');
CREATE TRIGGER sales_log_weights AFTER UPDATE OF draw_weights, admission ON sales FOR EACH ROW
  WHEN (OLD.draw_weights <> NEW.draw_weights OR OLD.admission <> NEW.admission)
  EXECUTE FUNCTION log_committed('id');

-- What the order follows from, and the hash of the whole list.
CREATE FUNCTION log_placed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  VALUES (NEW.sale_id, json_build_array(json_build_object('kind', 'placed', 'at', epoch_ms(NEW.shuffled_at), 'detail',
           json_build_object('seed', encode(NEW.seed, 'hex'), 'noncesDigest', encode(NEW.nonces_digest, 'hex'),
                             'beacon', NEW.beacon, 'beaconUrl', NEW.beacon_url, 'count', NEW.early,
                             'list', encode(NEW.list_digest, 'hex')))));
  RETURN NULL;
END $$;
CREATE TRIGGER lines_log_placed AFTER UPDATE OF shuffled_at ON lines FOR EACH ROW
  WHEN (OLD.shuffled_at IS DISTINCT FROM NEW.shuffled_at AND NEW.shuffled_at IS NOT NULL)
  EXECUTE FUNCTION log_placed();

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

-- The result of a draw, whoever came in, and places that were left.
CREATE FUNCTION log_line_changes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT sale_id, json_agg(decision ORDER BY number)
  FROM (SELECT w.sale_id, w.number,
               (row_number() OVER (PARTITION BY w.sale_id ORDER BY w.number) - 1) / 500 AS part,
               json_build_object('kind', k.kind, 'at', epoch_ms(k.at), 'user', w.user_id, 'detail',
                 CASE k.kind WHEN 'drawn' THEN json_build_object('number', w.number, 'place', w.place, 'weight', w.weight,
                                                                 'passedOver', w.passed_over)
                             WHEN 'admitted' THEN json_build_object('number', w.number)
                             ELSE json_build_object('number', w.number, 'why', 'left') END) AS decision
        FROM written w JOIN before b ON b.sale_id = w.sale_id AND b.number = w.number
        CROSS JOIN LATERAL (
          SELECT 'drawn' AS kind, clock_timestamp() AS at WHERE b.place IS NULL AND w.place IS NOT NULL
          UNION ALL
          SELECT 'admitted', w.entered_at WHERE b.entered_at IS NULL AND w.entered_at IS NOT NULL
          UNION ALL
          SELECT 'given_on', w.left_at WHERE b.left_at IS NULL AND w.left_at IS NOT NULL) AS k) AS d
  GROUP BY sale_id, part;
  RETURN NULL;
END $$;
CREATE TRIGGER line_entries_log_changes AFTER UPDATE ON line_entries
  REFERENCING OLD TABLE AS before NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION log_line_changes();

-- Who waits for a unit, in which order.
CREATE FUNCTION log_enlisted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT sale_id, json_agg(decision ORDER BY number)
  FROM (SELECT sale_id, number, (row_number() OVER (PARTITION BY sale_id ORDER BY number) - 1) / 500 AS part,
               json_build_object('kind', 'enlisted', 'at', epoch_ms(joined_at), 'user', user_id, 'detail',
                                 json_build_object('number', number)) AS decision
        FROM written) AS d
  GROUP BY sale_id, part;
  RETURN NULL;
END $$;
CREATE TRIGGER waitlist_entries_log_enlisted AFTER INSERT ON waitlist_entries
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION log_enlisted();

-- A unit that came back and went to the next who waited, whom it passed over, and who no longer waits.
CREATE FUNCTION log_given_on() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT sale_id, json_agg(decision ORDER BY number)
  FROM (SELECT w.sale_id, w.number,
               (row_number() OVER (PARTITION BY w.sale_id ORDER BY w.number) - 1) / 500 AS part,
               json_strip_nulls(json_build_object('kind', 'given_on', 'at', epoch_ms(k.at), 'user', w.user_id,
                 'order', CASE k.why WHEN 'unit' THEN w.order_no::text END,
                 'detail', json_build_object('number', w.number, 'why', k.why))) AS decision
        FROM written w JOIN before b ON b.sale_id = w.sale_id AND b.number = w.number
        CROSS JOIN LATERAL (
          SELECT 'unit' AS why, w.given_at AS at WHERE b.given_at IS NULL AND w.given_at IS NOT NULL
          UNION ALL
          SELECT 'passed_over', w.passed_at WHERE b.passed_at IS NULL AND w.passed_at IS NOT NULL
          UNION ALL
          SELECT 'left', w.left_at WHERE b.left_at IS NULL AND w.left_at IS NOT NULL) AS k) AS d
  GROUP BY sale_id, part;
  RETURN NULL;
END $$;
CREATE TRIGGER waitlist_entries_log_given_on AFTER UPDATE ON waitlist_entries
  REFERENCING OLD TABLE AS before NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION log_given_on();
