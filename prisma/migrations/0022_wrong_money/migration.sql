-- What becomes of money that is not what a payment asked for.

ALTER TABLE payments
  -- What the provider took, where that is other money than was asked for: this much goes back.
  ADD COLUMN taken_minor integer,
  ADD COLUMN taken_currency char(3),
  -- Other money never pays.
  ADD CONSTRAINT payments_taken_check CHECK (
    (taken_minor IS NULL) = (taken_currency IS NULL)
    AND (taken_minor IS NULL OR (taken_minor > 0 AND taken_currency ~ '^[A-Z]{3}$' AND status IN ('refund_due', 'refunded'))));

-- A settled payment has no question open, and may get one: a second success, or money after a refund.
UPDATE payments SET next_query_at = NULL WHERE next_query_at IS NOT NULL AND status NOT IN ('pending', 'failed');
DROP INDEX payments_to_query_idx;
CREATE INDEX payments_to_query_idx ON payments (next_query_at) WHERE next_query_at IS NOT NULL;

ALTER TABLE payment_events
  DROP CONSTRAINT payment_events_outcome_check,
  ADD CONSTRAINT payment_events_outcome_check
    CHECK (outcome IN ('applied', 'repeated', 'late', 'mismatch', 'sent_back', 'unknown_payment', 'ignored'));
-- For the alert about money that does not fit.
CREATE INDEX payment_events_misfit_idx ON payment_events (received_at) WHERE outcome IN ('mismatch', 'sent_back', 'unknown_payment');
