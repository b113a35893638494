-- Refunds in part: an order stays paid while the shop keeps some of its money (decision 135).

-- What was decided to be refunded in parts, minor units. The last guard: a part never takes all that is left.
ALTER TABLE payments ADD COLUMN parts_minor integer NOT NULL DEFAULT 0;
ALTER TABLE payments ADD CONSTRAINT payments_parts_check CHECK (
  parts_minor >= 0 AND (parts_minor = 0 OR (parts_minor < amount_minor AND status IN ('succeeded', 'refund_due', 'refunded')))
) NOT VALID;

CREATE TABLE refund_parts (
  shard        smallint       NOT NULL,
  order_id     bigint         NOT NULL,
  -- The first part of an order is 1. They are sent one after the other.
  nth          integer        NOT NULL,
  -- The order's sale, for `npm run verify`.
  sale_id      text           NOT NULL,
  amount_minor integer        NOT NULL,
  reason       text           NOT NULL,
  asked_by     text           NOT NULL,
  -- The client's own name for it.
  request_id   text           NOT NULL,
  asked_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- When the provider had accepted to send it.
  sent_at      timestamptz(3),
  -- Names the try at the provider: another number only after the provider has refused.
  attempt      integer        NOT NULL DEFAULT 1,
  CONSTRAINT refund_parts_pkey PRIMARY KEY (shard, order_id, nth),
  CONSTRAINT refund_parts_nth_check CHECK (nth BETWEEN 1 AND 50),
  CONSTRAINT refund_parts_amount_check CHECK (amount_minor > 0),
  CONSTRAINT refund_parts_attempt_check CHECK (attempt >= 1),
  CONSTRAINT refund_parts_shard_order_id_fkey FOREIGN KEY (shard, order_id) REFERENCES payments (shard, order_id)
    ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX refund_parts_shard_order_id_request_id_key ON refund_parts (shard, order_id, request_id);
CREATE INDEX refund_parts_sale_id_idx ON refund_parts (sale_id);
-- For the sweep: what is still to be sent.
CREATE INDEX refund_parts_due_idx ON refund_parts (asked_at) WHERE sent_at IS NULL;

-- The sandbox's own books: what it has sent back in parts, and under which keys.
ALTER TABLE sandbox_payments
  ADD COLUMN returned_minor integer NOT NULL DEFAULT 0,
  ADD COLUMN refund_keys text[] DEFAULT ARRAY[]::text[];

ALTER TABLE approvals DROP CONSTRAINT approvals_kind_check;
ALTER TABLE approvals ADD CONSTRAINT approvals_kind_check CHECK (kind IN ('stock_increase', 'refund', 'refund_part')) NOT VALID;
