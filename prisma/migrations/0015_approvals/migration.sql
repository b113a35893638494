-- What one person has asked for at the desk and another one has to allow: large stock increases and refunds.
CREATE TABLE approvals (
  id           text           NOT NULL PRIMARY KEY,
  kind         text           NOT NULL,
  sale_id      text           NOT NULL REFERENCES sales (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- The sale itself, or the order to be refunded.
  subject_id   text           NOT NULL,
  payload      jsonb          NOT NULL,
  reason       text           NOT NULL,
  status       text           NOT NULL DEFAULT 'pending',
  requested_by text           NOT NULL,
  requested_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at   timestamptz(3) NOT NULL,
  decided_by   text,
  decided_at   timestamptz(3),
  outcome      text,
  CONSTRAINT approvals_kind_check CHECK (kind IN ('stock_increase', 'refund')),
  CONSTRAINT approvals_status_check CHECK (status IN ('pending', 'approved', 'rejected', 'failed', 'expired')),
  -- Two people, whatever the program believes.
  CONSTRAINT approvals_second_person_check CHECK (status NOT IN ('approved', 'failed') OR decided_by <> requested_by),
  CONSTRAINT approvals_decided_check CHECK ((status IN ('pending', 'expired')) = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL))
);
-- One question at a time about one thing.
CREATE UNIQUE INDEX approvals_pending_key ON approvals (kind, subject_id) WHERE status = 'pending';
CREATE INDEX approvals_sale_id_id_idx ON approvals (sale_id, id);
