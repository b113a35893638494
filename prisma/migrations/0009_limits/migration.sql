-- Rate limits of a sale, by whom they count: {"user"?, "ip"?, "interface"?: {algorithm, limit, windowSec}}.
ALTER TABLE "sales" ADD COLUMN "limits" JSONB;
ALTER TABLE "sales" ADD CONSTRAINT "sales_limits_check" CHECK (jsonb_typeof("limits") = 'object');

-- A sale with a reservation window sells only to those who reserved in it.
ALTER TABLE "sales" ADD COLUMN "reservation_opens_at" TIMESTAMPTZ(3);
ALTER TABLE "sales" ADD COLUMN "reservation_closes_at" TIMESTAMPTZ(3);
ALTER TABLE "sales" ADD CONSTRAINT "sales_reservation_check" CHECK (
  ("reservation_opens_at" IS NULL) = ("reservation_closes_at" IS NULL)
  AND "reservation_opens_at" < "reservation_closes_at"
);
