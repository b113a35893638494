-- Which variant a place on a waitlist or in a draw is for (decision 142). 0: the sale has none, as the release before leaves it.
ALTER TABLE waitlist_entries ADD COLUMN variant smallint NOT NULL DEFAULT 0;
ALTER TABLE waitlist_entries ADD CONSTRAINT waitlist_entries_variant_check CHECK (variant BETWEEN 0 AND 20) NOT VALID;
ALTER TABLE line_entries ADD COLUMN variant smallint NOT NULL DEFAULT 0;
ALTER TABLE line_entries ADD CONSTRAINT line_entries_variant_check CHECK (variant BETWEEN 0 AND 20) NOT VALID;

-- Where others wait for a variant, a worker finds the places of this one that got their unit, once a second.
-- Safe beside the last release: no place names a variant yet, so it has no rows.
CREATE INDEX waitlist_entries_wished_idx ON waitlist_entries (sale_id, variant, number)
  WHERE variant > 0 AND left_at IS NULL AND given_at IS NULL AND passed_at IS NULL;

-- The log says which variant a place is for. Other leaves stay as they were.
CREATE OR REPLACE FUNCTION log_entered() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT sale_id, json_agg(decision ORDER BY number)
  FROM (SELECT sale_id, number, (row_number() OVER (PARTITION BY sale_id ORDER BY number) - 1) / 500 AS part,
               json_build_object('kind', 'entered', 'at', epoch_ms(joined_at), 'user', user_id, 'detail',
                 json_strip_nulls(json_build_object('number', number, 'nonce', encode(nonce, 'hex'),
                                                    'variant', nullif(variant, 0)))) AS decision
        FROM written) AS d
  GROUP BY sale_id, part;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION log_enlisted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT sale_id, json_agg(decision ORDER BY number)
  FROM (SELECT sale_id, number, (row_number() OVER (PARTITION BY sale_id ORDER BY number) - 1) / 500 AS part,
               json_build_object('kind', 'enlisted', 'at', epoch_ms(joined_at), 'user', user_id, 'order', order_no::text,
                                 'detail', json_strip_nulls(json_build_object('number', number, 'variant', nullif(variant, 0))))
                 AS decision
        FROM written) AS d
  GROUP BY sale_id, part;
  RETURN NULL;
END $$;
