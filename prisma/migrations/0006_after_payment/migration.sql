-- What happens to an order after its purchase: its history, what buyers are told and given, what is asked of providers.

-- One row per change of an order, written in the transaction of the change. That an order was made is not repeated
-- here: its own row says so. No foreign key: a record of what happened must neither hinder nor be hindered.
CREATE TABLE "order_events" (
  "id" BIGSERIAL NOT NULL,
  "shard" SMALLINT NOT NULL,
  "order_id" BIGINT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "actor_kind" TEXT NOT NULL,
  "actor_id" TEXT,
  "from_status" TEXT NOT NULL,
  "to_status" TEXT NOT NULL,
  "cause" TEXT NOT NULL,
  "data" JSONB NOT NULL DEFAULT '{}',
  CONSTRAINT "order_events_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "order_events_actor_check" CHECK ("actor_kind" IN ('shopper', 'merchant', 'provider', 'system'))
);
CREATE INDEX "order_events_shard_order_id_id_idx" ON "order_events" ("shard", "order_id", "id");

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER "order_events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "order_events"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE "orders"
  -- When the reminder to pay was put on its way.
  ADD COLUMN "reminded_at" TIMESTAMPTZ(3),
  -- Set by a refund: whether the units are for sale again, or written off.
  ADD COLUMN "refund_returns_stock" BOOLEAN,
  ADD CONSTRAINT "orders_refund_check" CHECK ("status" <> 'refunded' OR "refund_returns_stock" IS NOT NULL);

-- A refund has to reach the stock in Redis as every other outcome.
DROP INDEX "orders_unsettled_idx";
CREATE INDEX "orders_unsettled_idx" ON "orders" ("updated_at")
  WHERE "stock_settled_at" IS NULL AND "status" IN ('paid', 'cancelled', 'failed', 'refunded');

ALTER TABLE "payments"
  -- When the shopper was last sent to the provider; only then can there be something to ask it.
  ADD COLUMN "opened_at" TIMESTAMPTZ(3),
  ADD COLUMN "next_query_at" TIMESTAMPTZ(3),
  -- From here on the money goes back: nothing may keep it any more.
  ADD COLUMN "refund_decided_at" TIMESTAMPTZ(3),
  ADD COLUMN "queries" INTEGER NOT NULL DEFAULT 0,
  ADD CONSTRAINT "payments_queries_check" CHECK ("queries" >= 0);
CREATE INDEX "payments_to_query_idx" ON "payments" ("next_query_at")
  WHERE "next_query_at" IS NOT NULL AND "status" IN ('pending', 'failed');
CREATE INDEX "payments_refund_due_idx" ON "payments" ("updated_at") WHERE "status" = 'refund_due';

-- What the sandbox provider itself knows of a payment; the shop learns it by callback or by asking.
CREATE TABLE "sandbox_payments" (
  "payment_id" TEXT NOT NULL,
  "outcome" TEXT NOT NULL,
  "amount_minor" INTEGER NOT NULL,
  "currency" CHAR(3) NOT NULL,
  "decided_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "refunded_at" TIMESTAMPTZ(3),
  CONSTRAINT "sandbox_payments_pkey" PRIMARY KEY ("payment_id"),
  CONSTRAINT "sandbox_payments_outcome_check" CHECK ("outcome" IN ('succeeded', 'failed'))
);

-- Each consumer of outgoing messages looks for its own topic only: one that is paused keeps nobody waiting.
DROP INDEX "outgoing_messages_due_idx";
CREATE INDEX "outgoing_messages_due_idx" ON "outgoing_messages" ("topic", "next_attempt_at") WHERE "sent_at" IS NULL;

CREATE TABLE "points_entries" (
  "id" BIGSERIAL NOT NULL,
  "user_id" TEXT NOT NULL,
  "order_id" BIGINT NOT NULL,
  "kind" TEXT NOT NULL,
  "points" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "points_entries_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "points_entries_kind_check" CHECK (("kind" = 'earned' AND "points" >= 0) OR ("kind" = 'taken_back' AND "points" <= 0)),
  CONSTRAINT "points_entries_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "points_entries_order_id_kind_key" ON "points_entries" ("order_id", "kind");
CREATE INDEX "points_entries_user_id_id_idx" ON "points_entries" ("user_id", "id");

CREATE TABLE "notifications" (
  "id" BIGSERIAL NOT NULL,
  "user_id" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "order_id" BIGINT NOT NULL,
  "data" JSONB NOT NULL DEFAULT '{}',
  -- The message it was made from: a message that comes again makes no second one.
  "message_id" TEXT NOT NULL,
  "read_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "notifications_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "notifications_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "notifications_message_id_key" ON "notifications" ("message_id");
CREATE INDEX "notifications_user_id_id_idx" ON "notifications" ("user_id", "id");
CREATE INDEX "notifications_unread_idx" ON "notifications" ("user_id") WHERE "read_at" IS NULL;

-- How the circuit breakers of each process stand, for the desk. Rows that nobody renews are of processes that are gone.
CREATE TABLE "breakers" (
  "service" TEXT NOT NULL,
  "process" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_error" TEXT,
  "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "breakers_pkey" PRIMARY KEY ("service", "process"),
  CONSTRAINT "breakers_state_check" CHECK ("state" IN ('closed', 'half_open', 'open'))
);

ALTER TABLE "dead_letters"
  -- When somebody last tried again: while that is under way nobody else gives the hold back.
  ADD COLUMN "retried_at" TIMESTAMPTZ(3),
  ADD COLUMN "resolved_by" TEXT;
