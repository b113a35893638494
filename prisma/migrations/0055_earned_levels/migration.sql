-- Levels that shoppers earn (decision 123). The release before knows none of them: it goes by users.level alone.

-- From how many points on a shopper has which level. Empty: points earn no level.
CREATE TABLE level_rules (
  level       integer  NOT NULL,
  min_points  integer  NOT NULL,
  PRIMARY KEY (level),
  CONSTRAINT level_rules_level_check CHECK (level BETWEEN 1 AND 1000),
  CONSTRAINT level_rules_min_points_check CHECK (min_points > 0)
);
CREATE UNIQUE INDEX level_rules_min_points_key ON level_rules (min_points);

-- Products that are memberships: who pays for a unit has this level for so many days.
CREATE TABLE membership_rules (
  product_id  text     NOT NULL,
  level       integer  NOT NULL,
  days        integer  NOT NULL,
  PRIMARY KEY (product_id),
  CONSTRAINT membership_rules_level_check CHECK (level BETWEEN 1 AND 1000),
  CONSTRAINT membership_rules_days_check CHECK (days > 0),
  CONSTRAINT membership_rules_product_id_fkey FOREIGN KEY (product_id) REFERENCES products (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

-- What was paid for, as the rule stood then. A refund leaves the row: the ledger of points says that it was refunded.
CREATE TABLE memberships (
  user_id   text            NOT NULL,
  order_id  bigint          NOT NULL,
  level     integer         NOT NULL,
  days      integer         NOT NULL,
  paid_at   timestamptz(3)  NOT NULL,
  PRIMARY KEY (user_id, order_id),
  CONSTRAINT memberships_level_check CHECK (level BETWEEN 1 AND 1000),
  CONSTRAINT memberships_days_check CHECK (days > 0),
  CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

-- When each user's memberships of a level end. One that is paid while another lasts begins when that ends: the end is the
-- latest of (paid_at + the days of this and all later ones). A day is 24 hours, whatever the time zone. No more than a
-- thousand years count: a date beyond what Postgres knows would fail every read of the account.
CREATE VIEW membership_ends AS
SELECT user_id, level, max(paid_at + total_days * interval '24 hours') AS ends_at
FROM (SELECT m.user_id, m.level, m.paid_at,
             least(365000, sum(m.days) OVER (PARTITION BY m.user_id, m.level
                                             ORDER BY m.paid_at DESC, m.order_id DESC)) AS total_days
      FROM memberships m
      WHERE NOT EXISTS (SELECT FROM points_entries p WHERE p.order_id = m.order_id AND p.kind = 'taken_back')) AS counted
GROUP BY user_id, level;

-- The level that counts now: the highest of the one that staff gave, the one that points earn, and memberships. Postgres
-- inlines it in FROM, so a statement asks once whether there are rules or memberships at all.
CREATE FUNCTION level_of(of_user text, given integer) RETURNS TABLE (level integer)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1 AS $$
  SELECT greatest(
    given,
    CASE WHEN EXISTS (SELECT FROM level_rules) THEN
      (SELECT max(r.level) FROM level_rules r
       WHERE r.min_points <= (SELECT sum(p.points) FROM points_entries p WHERE p.user_id = of_user))
    END,
    CASE WHEN EXISTS (SELECT FROM memberships) THEN
      (SELECT max(m.level) FROM membership_ends m WHERE m.user_id = of_user AND m.ends_at > now())
    END)
$$;
