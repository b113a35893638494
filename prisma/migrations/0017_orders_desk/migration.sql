-- Who was refused, when, why and how much was left; what "why not me?" is answered from. Kept for 30 days.
CREATE TABLE refusals (
  sale_id   text           NOT NULL,
  user_id   text           NOT NULL,
  place     text           NOT NULL CHECK (place IN ('entry', 'purchase')),
  -- Of lib/errors/codes.ts.
  code      text           NOT NULL,
  -- What the risk rules had said of them; never which rule.
  risk      text           NOT NULL CHECK (risk IN ('none', 'challenged', 'limited', 'blocked')),
  first_at  timestamptz(3) NOT NULL,
  last_at   timestamptz(3) NOT NULL,
  times     integer        NOT NULL CHECK (times > 0),
  -- Units left at the first of them; NULL: the process that answered did not know.
  available integer,
  CONSTRAINT refusals_pkey PRIMARY KEY (sale_id, user_id, place, code, risk)
) WITH (fillfactor = 80);
-- For the sweep. Repeats change no indexed column, so that they stay in their page.
CREATE INDEX refusals_first_at_idx ON refusals (first_at);

-- How many refusals of a sale could not be kept: more came at once than is remembered.
CREATE TABLE lost_refusals (
  sale_id text           NOT NULL PRIMARY KEY,
  times   bigint         NOT NULL,
  last_at timestamptz(3) NOT NULL
);

-- The desk lists orders newest first, of a sale and a status; the number is the time.
CREATE INDEX orders_sale_id_status_id_idx ON orders (sale_id, status, id);
DROP INDEX orders_sale_id_status_idx;

CREATE INDEX dead_letters_order_no_idx ON dead_letters (order_no);
