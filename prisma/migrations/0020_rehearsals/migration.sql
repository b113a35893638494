-- A merchant's sale tried out with a made-up crowd before its start; a worker runs it against keys of its own in Redis.
CREATE TABLE rehearsals (
  id           text           NOT NULL PRIMARY KEY,
  sale_id      text           NOT NULL REFERENCES sales (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  requested_by text           NOT NULL,
  shoppers     integer        NOT NULL CHECK (shoppers BETWEEN 10 AND 20000),
  state        text           NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
  -- Percent.
  progress     integer        NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
  report       jsonb,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Renewed while it runs: what has not moved for half a minute was run by a worker that is gone.
  seen_at      timestamptz(3),
  ended_at     timestamptz(3),
  CONSTRAINT rehearsals_ended_check CHECK ((state IN ('done', 'failed')) = (ended_at IS NOT NULL)),
  CONSTRAINT rehearsals_report_check CHECK ((state = 'done') = (report IS NOT NULL))
);
CREATE INDEX rehearsals_sale_id_created_at_idx ON rehearsals (sale_id, created_at);
CREATE UNIQUE INDEX rehearsals_one_open_idx ON rehearsals (sale_id) WHERE state IN ('queued', 'running');
