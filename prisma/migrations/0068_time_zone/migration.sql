-- The time zone of an account's mails. The release before writes UTC, as for everybody who has none.
ALTER TABLE "users" ADD COLUMN "time_zone" TEXT;
