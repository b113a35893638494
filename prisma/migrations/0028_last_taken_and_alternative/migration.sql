-- "sold_out_at" is from now on when a unit was last taken, whoever sells: a sale without a unit left sold out then. It used to be
-- kept by Postgres's own sales alone.
UPDATE sales s SET sold_out_at = o.at
FROM (SELECT sale_id, max(accepted_at) AS at FROM orders GROUP BY sale_id) AS o
WHERE o.sale_id = s.id AND (s.sold_out_at IS NULL OR s.sold_out_at < o.at);

-- What a shopper may do who can't do the sale's puzzle: another puzzle, or also have the browser calculate.
ALTER TABLE "sales" ADD COLUMN "challenge_alternative" TEXT NOT NULL DEFAULT 'puzzle';
ALTER TABLE "sales" ADD CONSTRAINT "sales_challenge_alternative_check"
  CHECK ("challenge_alternative" IN ('puzzle', 'calculation'));
