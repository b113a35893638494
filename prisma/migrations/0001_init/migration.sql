-- Hand-finished: CHECK constraints are the last guard behind every conditional write, partial unique indexes
-- keep one live order per buyer, and orders are partitioned from the first day on.

CREATE TABLE "users" (
  "id" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "password_hash" TEXT NOT NULL,
  "role" TEXT NOT NULL DEFAULT 'shopper',
  "level" INTEGER NOT NULL DEFAULT 0,
  "session_version" INTEGER NOT NULL DEFAULT 0,
  "banned_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "users_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "users_email_check" CHECK ("email" = lower("email") AND length("email") BETWEEN 3 AND 254),
  CONSTRAINT "users_name_check" CHECK (length("name") BETWEEN 1 AND 100),
  CONSTRAINT "users_role_check" CHECK ("role" IN ('shopper', 'merchant', 'operator', 'admin')),
  CONSTRAINT "users_level_check" CHECK ("level" >= 0)
);
CREATE UNIQUE INDEX "users_email_key" ON "users" ("email");

CREATE TABLE "products" (
  "id" TEXT NOT NULL,
  "merchant_id" TEXT NOT NULL,
  "slug" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  "image_url" TEXT,
  "attributes" JSONB NOT NULL DEFAULT '{}',
  "version" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "products_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "products_slug_check" CHECK ("slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length("slug") <= 80),
  CONSTRAINT "products_version_check" CHECK ("version" >= 1),
  CONSTRAINT "products_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "products_slug_key" ON "products" ("slug");
CREATE INDEX "products_merchant_id_idx" ON "products" ("merchant_id");

CREATE TABLE "sales" (
  "id" TEXT NOT NULL,
  "product_id" TEXT NOT NULL,
  "merchant_id" TEXT NOT NULL,
  "slug" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "price_minor" INTEGER NOT NULL,
  "list_price_minor" INTEGER,
  "currency" CHAR(3) NOT NULL,
  "total_stock" INTEGER NOT NULL,
  "held_stock" INTEGER NOT NULL DEFAULT 0,
  "sold_stock" INTEGER NOT NULL DEFAULT 0,
  "limit_per_user" INTEGER NOT NULL,
  "starts_at" TIMESTAMPTZ(3) NOT NULL,
  "ends_at" TIMESTAMPTZ(3) NOT NULL,
  "entry_opens_at" TIMESTAMPTZ(3) NOT NULL,
  "payment_window_sec" INTEGER NOT NULL,
  "min_level" INTEGER NOT NULL DEFAULT 0,
  "status" TEXT NOT NULL DEFAULT 'draft',
  "paused" BOOLEAN NOT NULL DEFAULT false,
  "gate" TEXT NOT NULL,
  "epoch" INTEGER NOT NULL DEFAULT 0,
  "repeat_after_sec" INTEGER,
  "version" INTEGER NOT NULL DEFAULT 1,
  "published_at" TIMESTAMPTZ(3),
  "closed_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "sales_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "sales_slug_check" CHECK ("slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length("slug") <= 120),
  CONSTRAINT "sales_price_check" CHECK ("price_minor" > 0),
  CONSTRAINT "sales_list_price_check" CHECK ("list_price_minor" >= "price_minor"),
  CONSTRAINT "sales_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
  CONSTRAINT "sales_total_stock_check" CHECK ("total_stock" >= -1),
  CONSTRAINT "sales_held_stock_check" CHECK ("held_stock" >= 0),
  CONSTRAINT "sales_sold_stock_check" CHECK ("sold_stock" >= 0),
  -- Invariant 2: whatever Redis allowed, Postgres never commits more than there is.
  CONSTRAINT "sales_committed_stock_check" CHECK ("total_stock" = -1 OR "held_stock" + "sold_stock" <= "total_stock"),
  CONSTRAINT "sales_limit_check" CHECK ("limit_per_user" BETWEEN 1 AND 1000),
  CONSTRAINT "sales_window_check" CHECK ("entry_opens_at" <= "starts_at" AND "starts_at" < "ends_at"),
  CONSTRAINT "sales_payment_window_check" CHECK ("payment_window_sec" BETWEEN 5 AND 604800),
  CONSTRAINT "sales_min_level_check" CHECK ("min_level" >= 0),
  CONSTRAINT "sales_status_check" CHECK ("status" IN ('draft', 'published', 'closed')),
  CONSTRAINT "sales_epoch_check" CHECK ("epoch" >= 0 AND ("status" = 'draft' OR "epoch" > 0)),
  CONSTRAINT "sales_repeat_check" CHECK ("repeat_after_sec" > 0),
  CONSTRAINT "sales_version_check" CHECK ("version" >= 1),
  CONSTRAINT "sales_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "sales_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "sales_slug_key" ON "sales" ("slug");
CREATE INDEX "sales_status_starts_at_idx" ON "sales" ("status", "starts_at");
CREATE INDEX "sales_merchant_id_idx" ON "sales" ("merchant_id");
CREATE INDEX "sales_product_id_idx" ON "sales" ("product_id");

CREATE TABLE "orders" (
  "shard" SMALLINT NOT NULL,
  "id" BIGINT NOT NULL,
  "sale_id" TEXT NOT NULL,
  "user_id" TEXT NOT NULL,
  "quantity" INTEGER NOT NULL,
  "unit_price_minor" INTEGER NOT NULL,
  "amount_minor" INTEGER NOT NULL,
  "currency" CHAR(3) NOT NULL,
  "status" TEXT NOT NULL,
  "is_only_one" BOOLEAN NOT NULL,
  "jti" TEXT NOT NULL,
  "epoch" INTEGER NOT NULL,
  "accepted_at" TIMESTAMPTZ(3) NOT NULL,
  "pay_by" TIMESTAMPTZ(3) NOT NULL,
  "paid_at" TIMESTAMPTZ(3),
  "cancelled_at" TIMESTAMPTZ(3),
  "end_reason" TEXT,
  "stock_settled_at" TIMESTAMPTZ(3),
  "version" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "orders_pkey" PRIMARY KEY ("shard", "id"),
  -- The gene: the lowest ten bits of the order number are the buyer's shard.
  CONSTRAINT "orders_gene_check" CHECK ("id" > 0 AND "shard" = ("id" & 1023)),
  CONSTRAINT "orders_quantity_check" CHECK ("quantity" BETWEEN 1 AND 1000),
  CONSTRAINT "orders_unit_price_check" CHECK ("unit_price_minor" > 0),
  CONSTRAINT "orders_amount_check" CHECK ("amount_minor"::BIGINT = "unit_price_minor"::BIGINT * "quantity"),
  CONSTRAINT "orders_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
  CONSTRAINT "orders_status_check" CHECK ("status" IN ('pending_payment', 'paid', 'cancelled', 'refunded', 'failed')),
  CONSTRAINT "orders_paid_check" CHECK ("status" NOT IN ('paid', 'refunded') OR "paid_at" IS NOT NULL),
  CONSTRAINT "orders_cancelled_check" CHECK ("status" <> 'cancelled' OR ("cancelled_at" IS NOT NULL AND "paid_at" IS NULL)),
  CONSTRAINT "orders_reason_check" CHECK ("status" NOT IN ('cancelled', 'failed') OR "end_reason" IS NOT NULL),
  CONSTRAINT "orders_version_check" CHECK ("version" >= 1),
  CONSTRAINT "orders_sale_id_fkey" FOREIGN KEY ("sale_id") REFERENCES "sales" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "orders_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
) PARTITION BY HASH ("shard");

DO $$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format('CREATE TABLE "orders_p%s" PARTITION OF "orders" FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
  END LOOP;
END $$;

CREATE INDEX "orders_shard_user_id_id_idx" ON "orders" ("shard", "user_id", "id");
CREATE INDEX "orders_sale_id_status_idx" ON "orders" ("sale_id", "status");
-- One live order per user and sale where the limit is 1 (the shard follows from the user).
CREATE UNIQUE INDEX "orders_only_one_key" ON "orders" ("shard", "sale_id", "user_id")
  WHERE "is_only_one" AND "status" IN ('pending_payment', 'paid');
-- One order per entry token, whatever else goes wrong.
CREATE UNIQUE INDEX "orders_jti_key" ON "orders" ("shard", "jti");
CREATE INDEX "orders_overdue_idx" ON "orders" ("pay_by") WHERE "status" = 'pending_payment';
CREATE INDEX "orders_unsettled_idx" ON "orders" ("updated_at")
  WHERE "stock_settled_at" IS NULL AND "status" IN ('paid', 'cancelled', 'failed');

CREATE TABLE "payments" (
  "id" TEXT NOT NULL,
  "shard" SMALLINT NOT NULL,
  "order_id" BIGINT NOT NULL,
  "provider" TEXT NOT NULL,
  "amount_minor" INTEGER NOT NULL,
  "currency" CHAR(3) NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'pending',
  "settled_at" TIMESTAMPTZ(3),
  "refunded_at" TIMESTAMPTZ(3),
  "version" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "payments_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "payments_amount_check" CHECK ("amount_minor" > 0),
  CONSTRAINT "payments_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
  CONSTRAINT "payments_status_check" CHECK ("status" IN ('pending', 'failed', 'succeeded', 'refund_due', 'refunded')),
  CONSTRAINT "payments_settled_check" CHECK (("status" IN ('succeeded', 'refund_due', 'refunded')) = ("settled_at" IS NOT NULL)),
  CONSTRAINT "payments_refunded_check" CHECK (("status" = 'refunded') = ("refunded_at" IS NOT NULL)),
  CONSTRAINT "payments_version_check" CHECK ("version" >= 1),
  CONSTRAINT "payments_shard_order_id_fkey" FOREIGN KEY ("shard", "order_id") REFERENCES "orders" ("shard", "id") ON DELETE RESTRICT ON UPDATE CASCADE
);
-- One payment per order: paying twice is impossible.
CREATE UNIQUE INDEX "payments_shard_order_id_key" ON "payments" ("shard", "order_id");

CREATE TABLE "payment_events" (
  "provider" TEXT NOT NULL,
  "webhook_id" TEXT NOT NULL,
  "payment_id" TEXT,
  "type" TEXT NOT NULL,
  "payload" JSONB NOT NULL,
  "outcome" TEXT NOT NULL,
  "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "payment_events_pkey" PRIMARY KEY ("provider", "webhook_id"),
  CONSTRAINT "payment_events_outcome_check" CHECK ("outcome" IN ('applied', 'repeated', 'late', 'mismatch', 'unknown_payment', 'ignored')),
  CONSTRAINT "payment_events_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "payment_events_payment_id_idx" ON "payment_events" ("payment_id");

CREATE TABLE "outgoing_messages" (
  "id" BIGSERIAL NOT NULL,
  "topic" TEXT NOT NULL,
  "payload" JSONB NOT NULL,
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_error" TEXT,
  "sent_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "outgoing_messages_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "outgoing_messages_attempts_check" CHECK ("attempts" >= 0)
);
CREATE INDEX "outgoing_messages_due_idx" ON "outgoing_messages" ("next_attempt_at") WHERE "sent_at" IS NULL;

CREATE TABLE "processed_messages" (
  "consumer" TEXT NOT NULL,
  "message_id" TEXT NOT NULL,
  "processed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "processed_messages_pkey" PRIMARY KEY ("consumer", "message_id")
);

CREATE TABLE "dead_letters" (
  "id" BIGSERIAL NOT NULL,
  "consumer" TEXT NOT NULL,
  "message_id" TEXT NOT NULL,
  "sale_id" TEXT,
  "order_no" BIGINT,
  "payload" JSONB NOT NULL,
  "error" TEXT NOT NULL,
  "attempts" INTEGER NOT NULL DEFAULT 1,
  "released_at" TIMESTAMPTZ(3),
  "resolved_at" TIMESTAMPTZ(3),
  "resolution" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "dead_letters_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "dead_letters_attempts_check" CHECK ("attempts" >= 1)
);
CREATE UNIQUE INDEX "dead_letters_consumer_message_id_key" ON "dead_letters" ("consumer", "message_id");
CREATE INDEX "dead_letters_sale_id_idx" ON "dead_letters" ("sale_id");
