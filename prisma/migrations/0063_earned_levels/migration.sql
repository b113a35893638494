-- Levels that shoppers earn (decision 090). A release that knows none goes by users.level alone, as before.
-- Null: the level that staff gave has no end.
ALTER TABLE users ADD COLUMN level_until timestamptz(3);

-- What so many points are worth. Empty: points earn no level.
CREATE TABLE level_rules (
  level      integer NOT NULL CHECK (level BETWEEN 1 AND 1000),
  min_points integer NOT NULL CHECK (min_points > 0),
  PRIMARY KEY (level)
);
CREATE UNIQUE INDEX level_rules_min_points_key ON level_rules (min_points);

-- The higher of the level that the points of a user earn and the one that staff gave, while that one lasts.
-- The points are summed only where there are rules.
CREATE FUNCTION level_of(of_user text, given integer, given_until timestamptz) RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT greatest(
    CASE WHEN given_until IS NULL OR given_until > now() THEN given ELSE 0 END,
    CASE WHEN EXISTS (SELECT FROM level_rules) THEN
      (SELECT max(r.level) FROM level_rules r
       WHERE r.min_points <= (SELECT sum(p.points) FROM points_entries p WHERE p.user_id = of_user))
    END)
$$;
