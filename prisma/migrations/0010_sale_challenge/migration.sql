-- What a shopper solves before entry: nothing, a calculation, a slider puzzle or a sum in a picture.
ALTER TABLE "sales" ADD COLUMN "challenge" TEXT NOT NULL DEFAULT 'none';
ALTER TABLE "sales" ADD CONSTRAINT "sales_challenge_check" CHECK ("challenge" IN ('none', 'pow', 'slider', 'arithmetic'));
