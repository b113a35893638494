-- Every decision of a sale is a leaf of an append-only Merkle log (decision 076).

-- Decisions that wait for their index: a row per statement that made them, deleted in the transaction that appends them.
CREATE TABLE decision_batches (
  id        uuid           NOT NULL PRIMARY KEY DEFAULT gen_random_uuid(),
  sale_id   text           NOT NULL,
  logged_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- [{kind, at, user, order?, detail}], `at` in epoch ms
  decisions json           NOT NULL
);
CREATE INDEX decision_batches_sale_idx ON decision_batches (sale_id, logged_at);

-- How far each sale's log is. Whoever appends keeps the row locked.
CREATE TABLE decision_logs (
  sale_id       text           NOT NULL PRIMARY KEY,
  -- Leaves.
  size          bigint         NOT NULL DEFAULT 0,
  -- Of its latest head.
  signed_size   bigint         NOT NULL DEFAULT 0,
  signed_at     timestamptz(3),
  -- Since when leaves wait for a head, where size > signed_size.
  grown_at      timestamptz(3),
  final_at      timestamptz(3),
  -- Makes the pseudonyms; known to the shop alone.
  pseudonym_key text           NOT NULL,
  CONSTRAINT decision_logs_size_check CHECK (size >= signed_size AND signed_size >= 0)
);
CREATE INDEX decision_logs_unsigned_idx ON decision_logs (sale_id) WHERE size > signed_size;

CREATE TABLE decision_leaves (
  sale_id text   NOT NULL,
  index   bigint NOT NULL CHECK (index >= 0),
  -- The pseudonym in it.
  who     text   NOT NULL,
  -- Canonical JSON (RFC 8785).
  leaf    text   NOT NULL,
  PRIMARY KEY (sale_id, index)
);
CREATE INDEX decision_leaves_who_idx ON decision_leaves (sale_id, who, index);

-- Hashes of complete subtrees, 256 to a tile: of leaves at level 0, of full tiles of the level below at the others.
CREATE TABLE decision_tiles (
  sale_id text     NOT NULL,
  level   smallint NOT NULL CHECK (level BETWEEN 0 AND 7),
  index   bigint   NOT NULL CHECK (index >= 0),
  hashes  bytea    NOT NULL CHECK (length(hashes) BETWEEN 32 AND 8192 AND length(hashes) % 32 = 0),
  PRIMARY KEY (sale_id, level, index)
);

-- What was signed and published.
CREATE TABLE decision_heads (
  sale_id   text           NOT NULL,
  size      bigint         NOT NULL CHECK (size > 0),
  is_final  boolean        NOT NULL,
  -- Base64url, as in the published head.
  root      text           NOT NULL,
  at        timestamptz(3) NOT NULL,
  key_id    text           NOT NULL,
  signature text           NOT NULL,
  PRIMARY KEY (sale_id, size, is_final)
);

-- Public keys that have signed heads. They stay published, whatever key signs now.
CREATE TABLE log_keys (
  id         text           NOT NULL PRIMARY KEY,
  -- SPKI, base64url.
  public_key text           NOT NULL,
  since      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TRIGGER decision_leaves_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON decision_leaves
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decision_heads_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON decision_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_keys_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_keys
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Orders written before this have no leaves.
CREATE TABLE decision_log_start (
  is_only boolean        NOT NULL PRIMARY KEY DEFAULT true CHECK (is_only),
  at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO decision_log_start DEFAULT VALUES;

-- Triggers write the batches, so that no order can be without its leaf, whoever writes it: also the release before this
-- one, beside it. One row per statement and sale, of at most 500 decisions. A restored backup brings its own.
CREATE FUNCTION epoch_ms(timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS
  $$ SELECT round(extract(epoch FROM $1) * 1000)::bigint $$;

CREATE FUNCTION is_restoring() RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT coalesce(current_setting('seckill.restoring', true), '') = 'on' $$;

-- They write as the owner of the tables: a role that may write orders need not know of the log, nor may it write there itself.
CREATE FUNCTION log_accepted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT sale_id, json_agg(decision ORDER BY at, id)
  FROM (SELECT sale_id, id, accepted_at AS at,
               (row_number() OVER (PARTITION BY sale_id ORDER BY accepted_at, id) - 1) / 500 AS part,
               json_build_object('kind', 'accepted', 'at', epoch_ms(accepted_at), 'user', user_id, 'order', id::text,
                                 'detail', json_build_object('units', quantity)) AS decision
        FROM written) AS d
  GROUP BY sale_id, part;
  RETURN NULL;
END $$;
CREATE TRIGGER orders_log_accepted AFTER INSERT ON orders
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION log_accepted();

CREATE FUNCTION log_order_events() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT sale_id, json_agg(decision ORDER BY id)
  FROM (SELECT o.sale_id, w.id, (row_number() OVER (PARTITION BY o.sale_id ORDER BY w.id) - 1) / 500 AS part,
               json_build_object('kind', CASE WHEN w.to_status IN ('cancelled', 'failed') THEN 'released'
                                              WHEN w.to_status = 'pending_payment' THEN 'reopened'
                                              ELSE w.to_status END,
                                 'at', epoch_ms(w.at), 'user', o.user_id, 'order', o.id::text,
                                 'detail', json_build_object('why', w.cause)) AS decision
        FROM written w JOIN orders o ON o.shard = w.shard AND o.id = w.order_id
        WHERE w.from_status <> w.to_status) AS d
  GROUP BY sale_id, part;
  RETURN NULL;
END $$;
CREATE TRIGGER order_events_log AFTER INSERT ON order_events
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION log_order_events();

-- A refusal of the same kind that comes again raises a count in its row and is no new leaf.
CREATE FUNCTION log_refused() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() THEN RETURN NULL; END IF;
  INSERT INTO decision_batches (sale_id, decisions)
  SELECT sale_id, json_agg(decision ORDER BY at, user_id)
  FROM (SELECT sale_id, user_id, first_at AS at,
               (row_number() OVER (PARTITION BY sale_id ORDER BY first_at, user_id) - 1) / 500 AS part,
               json_build_object('kind', 'refused', 'at', epoch_ms(first_at), 'user', user_id,
                                 'detail', json_build_object('place', place, 'reason', code)) AS decision
        FROM written) AS d
  GROUP BY sale_id, part;
  RETURN NULL;
END $$;
CREATE TRIGGER refusals_log AFTER INSERT ON refusals
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION log_refused();
