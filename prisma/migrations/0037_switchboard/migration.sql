-- What staff have set of the side features that can be switched off. Every process holds it in memory and follows
-- `change`. A feature that nobody has switched has no row.
CREATE TABLE side_features (
  feature    text           NOT NULL PRIMARY KEY CHECK (length(feature) BETWEEN 1 AND 40),
  mode       text           NOT NULL CHECK (mode IN ('on', 'by_load', 'off')),
  -- User id.
  changed_by text           NOT NULL,
  changed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  version    integer        NOT NULL DEFAULT 1,
  -- Raised by every change of a row, under a lock that makes the numbers commit in their order.
  change     BIGSERIAL      NOT NULL
);
CREATE UNIQUE INDEX side_features_change_key ON side_features (change);
