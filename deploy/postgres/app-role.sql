-- For a Postgres of your own: a role for the application that owns nothing. It can add to what is append-only and can
-- change none of it; nor can it switch off the triggers that refuse it as well. Run as the owner of the database, after
-- every migration:
--   psql "$OWNER_URL" -c "CREATE ROLE seckill_app LOGIN PASSWORD '…'" -f deploy/postgres/app-role.sql
GRANT USAGE ON SCHEMA public, executor TO seckill_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public, executor TO seckill_app;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public, executor TO seckill_app;
REVOKE UPDATE, DELETE, TRUNCATE ON audit_entries, order_events FROM seckill_app;
REVOKE INSERT, DELETE, TRUNCATE ON audit_head FROM seckill_app;
