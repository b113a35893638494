-- The provider's own books are compared with ours.

-- How far each provider's statement has been read, and by whom last: one worker at a time.
CREATE TABLE statement_marks (
  provider   text           NOT NULL PRIMARY KEY,
  -- Everything the provider took before this has been looked at.
  read_until timestamptz(3) NOT NULL,
  claimed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- A statement is read in the order in which money was taken.
CREATE INDEX sandbox_payments_decided_at_payment_id_idx ON sandbox_payments (decided_at, payment_id);

-- The sandbox did not know of payments that were made without its page (demo buyers, tools): from now on it has to.
INSERT INTO sandbox_payments (payment_id, outcome, amount_minor, currency, decided_at, refunded_at)
SELECT id, 'succeeded', amount_minor, currency, settled_at, refunded_at FROM payments
WHERE provider = 'sandbox' AND status IN ('succeeded', 'refund_due', 'refunded')
ON CONFLICT (payment_id) DO NOTHING;
-- Nor of a payment that was declined on its page and made without it.
UPDATE sandbox_payments s
SET outcome = 'succeeded', amount_minor = p.amount_minor, currency = p.currency, decided_at = p.settled_at, refunded_at = p.refunded_at
FROM payments p
WHERE p.id = s.payment_id AND p.provider = 'sandbox' AND p.status IN ('succeeded', 'refund_due', 'refunded') AND s.outcome = 'failed';
