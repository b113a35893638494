-- What becomes of money that comes after the time to pay (decision 088): it buys its unit again if one is free, as in every
-- sale so far; or it always goes back. The release before this one takes every sale for one of the first kind.
ALTER TABLE sales
  ADD COLUMN late_money text NOT NULL DEFAULT 'retake' CONSTRAINT sales_late_money_check CHECK (late_money IN ('retake', 'refund'));
