-- For a Postgres of your own: a role for the application that owns nothing. It can add to what is append-only and can
-- change none of it; nor can it switch off the triggers that refuse it as well. Run as the owner of the database, after
-- every migration:
--   psql "$OWNER_URL" -c "CREATE ROLE seckill_app LOGIN PASSWORD '…'" -f deploy/postgres/app-role.sql
GRANT USAGE ON SCHEMA public, executor TO seckill_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public, executor TO seckill_app;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public, executor TO seckill_app;
REVOKE UPDATE, DELETE, TRUNCATE ON audit_entries, order_events, order_events_p0, order_events_p1, order_events_p2, order_events_p3,
  order_events_p4, order_events_p5, order_events_p6, order_events_p7, order_events_p8, order_events_p9, order_events_p10,
  order_events_p11, order_events_p12, order_events_p13, order_events_p14, order_events_p15 FROM seckill_app;
-- Workers make and drop the partitions of marks by these.
GRANT EXECUTE ON FUNCTION add_week_of_marks(DATE), drop_week_of_marks(TIMESTAMPTZ) TO seckill_app;
REVOKE UPDATE, DELETE, TRUNCATE ON decision_leaves, decision_heads, log_keys FROM seckill_app;
REVOKE INSERT, DELETE, TRUNCATE ON audit_head FROM seckill_app;
