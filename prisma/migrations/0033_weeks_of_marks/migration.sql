-- Safe beside the last release: the old table becomes one partition of the new one, under the same names, and it is locked for as long
-- as it takes to read it once; who can't lock it within half a second tries again.
-- Marks of processed messages lie in partitions of a week each, which retention drops whole (decision 067). The message of
-- an order is its number, which begins with the time: so the partition key is the message id itself, the primary key stays
-- what it is, and processes of the release before go on without noticing. Order numbers have 18 digits until 2033, so that
-- they sort as text as they do as numbers; a week in which the digits grow has no partition.

-- Whoever waits for the table lock keeps everybody else waiting: rather try again (`apply-migrations.ts`).
SET LOCAL lock_timeout = '500ms';

-- The first number of a day, as text.
CREATE FUNCTION first_order_no(day DATE) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT (((day - DATE '2026-01-01') * 86400000::BIGINT) << 22)::TEXT
$$;

-- Weeks of order numbers begin on Thursdays at 00:00 UTC, as 2026 did.
CREATE FUNCTION week_of_marks(at TIMESTAMPTZ) RETURNS DATE LANGUAGE sql IMMUTABLE AS $$
  SELECT d - (d - DATE '2026-01-01') % 7 FROM (SELECT (at AT TIME ZONE 'UTC')::DATE AS d) AS utc
$$;

-- Who may use one table may use the other.
CREATE FUNCTION copy_grants(source REGCLASS, target REGCLASS) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  given RECORD;
BEGIN
  FOR given IN
    SELECT a.grantee, a.privilege_type FROM pg_class c, aclexplode(c.relacl) a
    WHERE c.oid = source AND a.grantee <> c.relowner
  LOOP
    EXECUTE format('GRANT %s ON %s TO %s', given.privilege_type, target,
                   CASE given.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(given.grantee)) END);
  END LOOP;
END $$;

-- Marks go with their week. A DELETE by row would be a mistake: the release before deletes old marks by their place in the
-- table, and in another partition another mark has the same place.
CREATE FUNCTION keep_mark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN NULL;
END $$;

-- Makes the table of a week; no partition yet.
CREATE FUNCTION new_week_of_marks(week DATE) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  part TEXT := 'processed_messages_' || to_char(week, 'YYYYMMDD');
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE processed_messages INCLUDING ALL)', part);
  EXECUTE format('CREATE TRIGGER keep_mark BEFORE DELETE ON %I FOR EACH ROW EXECUTE FUNCTION keep_mark()', part);
  PERFORM copy_grants('processed_messages', part::REGCLASS);
END $$;

CREATE FUNCTION attach_week_of_marks(week DATE) RETURNS TEXT LANGUAGE sql AS $$
  SELECT format('ALTER TABLE processed_messages ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                'processed_messages_' || to_char(week, 'YYYYMMDD'), first_order_no(week), first_order_no(week + 7))
$$;

-- Makes the partition of the week that begins on a day, unless it is there. Marks of that week move there from the rest,
-- whose readers wait meanwhile: none for weeks to come, and a whole week's for one that has passed. For workers, whose
-- role owns no table. Returns whether it made one.
CREATE FUNCTION add_week_of_marks(week DATE) RETURNS BOOLEAN LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  part TEXT := 'processed_messages_' || to_char(week, 'YYYYMMDD');
BEGIN
  IF (week - DATE '2026-01-01') % 7 <> 0 THEN
    RAISE EXCEPTION 'no week of order numbers begins on %', week USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- Not beside a migration, a backup, or another worker that does this.
  IF length(first_order_no(week)) <> length(first_order_no(week + 7))
     OR NOT pg_try_advisory_xact_lock(5318008211) OR to_regclass(part) IS NOT NULL THEN
    RETURN false;
  END IF;
  PERFORM new_week_of_marks(week);
  LOCK TABLE processed_messages_rest IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('WITH moved AS (DELETE FROM processed_messages_rest WHERE message_id >= $1 AND message_id < $2 RETURNING *)
                  INSERT INTO %I SELECT * FROM moved', part) USING first_order_no(week), first_order_no(week + 7);
  EXECUTE attach_week_of_marks(week);
  RETURN true;
END $$;

-- Drops the earliest week of marks, if it and every mark of it is older than a moment. Marks that are still needed move to
-- the rest first: of orders that are not there, or not settled (decision 050). For workers. Returns nothing if there was
-- no such week, or another session was at it.
CREATE FUNCTION drop_week_of_marks(before TIMESTAMPTZ)
  RETURNS TABLE (week TEXT, dropped BIGINT, kept BIGINT) LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp SET lock_timeout = '200ms'
  SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  part REGCLASS;
  total BIGINT;
BEGIN
  IF NOT pg_try_advisory_xact_lock(5318008211) THEN
    RETURN;
  END IF;
  SELECT c.oid::REGCLASS INTO part FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'processed_messages'::REGCLASS AND c.relname ~ '^processed_messages_[0-9]{8}$'
    AND to_date(right(c.relname, 8), 'YYYYMMDD') + 7 <= (before AT TIME ZONE 'UTC')
  ORDER BY c.relname LIMIT 1;
  IF part IS NULL THEN
    RETURN;
  END IF;
  -- Keeps late marks of this week waiting, and nobody else.
  EXECUTE format('LOCK TABLE %s IN EXCLUSIVE MODE', part);
  EXECUTE format(
    'CREATE TEMP TABLE needed_marks ON COMMIT DROP AS
     SELECT m.consumer, m.message_id, m.processed_at
     FROM %s m
     LEFT JOIN LATERAL (SELECT CASE WHEN m.message_id ~ ''^[1-9][0-9]{0,18}$'' AND m.message_id::NUMERIC < 2 ^ 63::NUMERIC THEN m.message_id::BIGINT END AS id) AS n ON true
     LEFT JOIN orders o ON o.shard = (n.id & 1023)::SMALLINT AND o.id = n.id
     WHERE m.processed_at >= $1
        OR CASE m.consumer WHEN ''create-orders'' THEN o.id IS NULL
                           WHEN ''confirm-paid'' THEN NOT coalesce(o.status IN (''paid'', ''refunded'') AND o.stock_settled_at IS NOT NULL, false)
                           ELSE false END', part) USING before;
  EXECUTE format('SELECT count(*) FROM %s', part) INTO total;
  SELECT count(*) INTO kept FROM needed_marks;
  week := right(part::TEXT, 8);
  -- From here on the whole table is locked, for as long as it takes to note this in the catalogue.
  EXECUTE format('ALTER TABLE processed_messages DETACH PARTITION %s', part);
  INSERT INTO processed_messages SELECT * FROM needed_marks;
  DROP TABLE needed_marks;
  EXECUTE format('DROP TABLE %s', part);
  dropped := total - kept;
  RETURN NEXT;
END $$;

-- Nobody may call these but who was given the right to change marks anyway.
REVOKE ALL ON FUNCTION copy_grants(REGCLASS, REGCLASS), add_week_of_marks(DATE), drop_week_of_marks(TIMESTAMPTZ) FROM PUBLIC;
DO $$
DECLARE
  given RECORD;
BEGIN
  FOR given IN
    SELECT pg_get_userbyid(a.grantee) AS role FROM pg_class c, aclexplode(c.relacl) a
    WHERE c.oid = 'processed_messages'::REGCLASS AND a.privilege_type = 'DELETE' AND a.grantee NOT IN (0, c.relowner)
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION add_week_of_marks(DATE), drop_week_of_marks(TIMESTAMPTZ) TO %I', given.role);
  END LOOP;
END $$;

CREATE TABLE processed_messages_by_week (
  consumer     TEXT           NOT NULL,
  message_id   TEXT           NOT NULL,
  processed_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT processed_messages_by_week_pkey PRIMARY KEY (consumer, message_id)
) PARTITION BY RANGE (message_id);
CREATE INDEX processed_messages_by_week_processed_at_idx ON processed_messages_by_week (processed_at);
SELECT copy_grants('processed_messages', 'processed_messages_by_week');
SELECT new_week_of_marks(week_of_marks(now()) + n * 7) FROM generate_series(1, 8) AS n;

-- From here on the table is locked. What is there becomes the rest: the default partition, which holds marks of earlier
-- weeks, of messages that are no orders, and of weeks that nobody made a partition for. It is read once, to see that it has
-- no mark of the next eight weeks.
ALTER TABLE processed_messages RENAME TO processed_messages_rest;
ALTER INDEX processed_messages_pkey RENAME TO processed_messages_rest_pkey;
ALTER INDEX processed_messages_processed_at_idx RENAME TO processed_messages_rest_processed_at_idx;
ALTER TABLE processed_messages_by_week RENAME TO processed_messages;
ALTER INDEX processed_messages_by_week_pkey RENAME TO processed_messages_pkey;
ALTER INDEX processed_messages_by_week_processed_at_idx RENAME TO processed_messages_processed_at_idx;
DO $$
DECLARE
  first DATE := week_of_marks(now()) + 7;
BEGIN
  FOR n IN 0..7 LOOP
    EXECUTE attach_week_of_marks(first + n * 7);
  END LOOP;
  EXECUTE format('ALTER TABLE processed_messages_rest ADD CONSTRAINT processed_messages_rest_check
                  CHECK (NOT (message_id >= %L AND message_id < %L))', first_order_no(first), first_order_no(first + 56));
  ALTER TABLE processed_messages ATTACH PARTITION processed_messages_rest DEFAULT;
  ALTER TABLE processed_messages_rest DROP CONSTRAINT processed_messages_rest_check;
EXCEPTION WHEN check_violation THEN
  -- A mark that looks like one of those weeks, of no order or of a clock that is fast: workers make the weeks.
  FOR n IN 0..7 LOOP
    EXECUTE format('DROP TABLE %I', 'processed_messages_' || to_char(first + n * 7, 'YYYYMMDD'));
  END LOOP;
  ALTER TABLE processed_messages ATTACH PARTITION processed_messages_rest DEFAULT;
END $$;
