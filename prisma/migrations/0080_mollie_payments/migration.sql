-- Which of Mollie's payments takes a payment's money: callbacks name Mollie's ids alone, and its list begins at one.
CREATE TABLE "mollie_payments" (
  "payment_id" TEXT NOT NULL,
  "attempt" INTEGER NOT NULL DEFAULT 1,
  "title" TEXT NOT NULL,
  "return_url" TEXT NOT NULL,
  "claimed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "mollie_id" TEXT,
  "created_at" TIMESTAMPTZ(3),
  CONSTRAINT "mollie_payments_pkey" PRIMARY KEY ("payment_id"),
  CONSTRAINT "mollie_payments_attempt_check" CHECK ("attempt" >= 1)
);

CREATE UNIQUE INDEX "mollie_payments_mollie_id_key" ON "mollie_payments" ("mollie_id");
CREATE INDEX "mollie_payments_created_at_idx" ON "mollie_payments" ("created_at");
