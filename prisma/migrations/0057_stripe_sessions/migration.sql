-- Which of Stripe's sessions takes a payment's money: Stripe knows its own ids alone.
CREATE TABLE "stripe_sessions" (
  "payment_id" TEXT NOT NULL,
  "attempt" INTEGER NOT NULL DEFAULT 1,
  "title" TEXT NOT NULL,
  "return_url" TEXT NOT NULL,
  "claimed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "session_id" TEXT,
  "created_at" TIMESTAMPTZ(3),
  CONSTRAINT "stripe_sessions_pkey" PRIMARY KEY ("payment_id"),
  CONSTRAINT "stripe_sessions_attempt_check" CHECK ("attempt" >= 1)
);
