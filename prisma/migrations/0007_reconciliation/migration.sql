-- What comparing Redis, the outbox and Postgres found, the latest few per sale; for the desk. Nothing is decided by these.
CREATE TABLE reconciliations (
  id          BIGSERIAL      NOT NULL PRIMARY KEY,
  sale_id     text           NOT NULL,
  cause       text           NOT NULL CHECK (cause IN ('schedule', 'demand')),
  ok          boolean        NOT NULL,
  -- How many differences lasted, and how many of them were repaired.
  differences integer        NOT NULL CHECK (differences >= 0),
  repaired    integer        NOT NULL,
  report      jsonb          NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT reconciliations_repaired_check CHECK (repaired BETWEEN 0 AND differences)
);
CREATE INDEX reconciliations_sale_id_id_idx ON reconciliations (sale_id, id);
