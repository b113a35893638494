-- State of the embedded Inngest executor. A schema of its own: the application never reads it and Prisma does not model it,
-- so switching to Inngest Cloud or the self-hosted server leaves nothing behind but these tables.
CREATE SCHEMA executor;

-- Functions as the SDK registered them. A function that is no longer registered is kept for the runs it still has.
CREATE TABLE executor.functions (
  id           text PRIMARY KEY,
  app_id       text NOT NULL,
  url          text NOT NULL,
  max_attempts integer NOT NULL CHECK (max_attempts BETWEEN 1 AND 21),
  concurrency  integer CHECK (concurrency > 0),
  crons        text[] NOT NULL DEFAULT '{}',
  config       json NOT NULL,
  removed_at   timestamptz
);

-- Which event starts which function. failed_function_id narrows an onFailure handler to the function it belongs to.
CREATE TABLE executor.triggers (
  event_name         text NOT NULL,
  function_id        text NOT NULL REFERENCES executor.functions (id) ON DELETE CASCADE,
  failed_function_id text NOT NULL DEFAULT '',
  PRIMARY KEY (event_name, function_id, failed_function_id)
);

-- json, not jsonb: the payload is canonical JSON (RFC 8785) and must stay byte for byte what it is; jsonb also refuses \u0000.
CREATE TABLE executor.events (
  id          text PRIMARY KEY,
  name        text NOT NULL,
  payload     json NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX events_received_at ON executor.events (received_at);

-- The de-duplication window: one run per function and event id within 24 hours, however long the runs themselves are kept.
CREATE TABLE executor.seen (
  function_id text NOT NULL,
  event_key   text NOT NULL,
  seen_at     timestamptz NOT NULL,
  PRIMARY KEY (function_id, event_key)
);
CREATE INDEX seen_seen_at ON executor.seen (seen_at);

-- pending counts the planned parallel steps and sleeps that are not done yet.
CREATE TABLE executor.runs (
  id               text PRIMARY KEY,
  function_id      text NOT NULL REFERENCES executor.functions (id),
  event_id         text NOT NULL REFERENCES executor.events (id),
  status           text NOT NULL DEFAULT 'RUNNING' CHECK (status IN ('RUNNING', 'COMPLETED', 'FAILED')),
  protocol_version integer NOT NULL DEFAULT -1,
  pending          integer NOT NULL DEFAULT 0 CHECK (pending >= 0),
  result           json,
  error            json,
  created_at       timestamptz NOT NULL,
  ended_at         timestamptz,
  CHECK ((status = 'RUNNING') = (ended_at IS NULL))
);
CREATE INDEX runs_event_id ON executor.runs (event_id);
CREATE INDEX runs_ended_at ON executor.runs (ended_at) WHERE ended_at IS NOT NULL;

-- Memoized steps. seq is the order of completion, which the SDK needs to replay parallel steps.
CREATE TABLE executor.steps (
  run_id  text NOT NULL REFERENCES executor.runs (id) ON DELETE CASCADE,
  step_id text NOT NULL,
  seq     bigint GENERATED ALWAYS AS IDENTITY,
  memo    json NOT NULL,
  PRIMARY KEY (run_id, step_id)
);

-- Work to do. due_at is when an item may be claimed; a claim moves it to the end of the lease, so a dead executor's items
-- become due again by themselves. claim is the fencing token: an answer counts only if its claim is still the latest.
CREATE TABLE executor.queue (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id      text NOT NULL REFERENCES executor.runs (id) ON DELETE CASCADE,
  function_id text NOT NULL,
  step_id     text NOT NULL DEFAULT 'step',
  kind        text NOT NULL DEFAULT 'CALL' CHECK (kind IN ('CALL', 'SLEEP')),
  attempt     integer NOT NULL DEFAULT 0 CHECK (attempt >= 0),
  due_at      timestamptz NOT NULL,
  leased_by   text,
  claim       integer NOT NULL DEFAULT 0,
  UNIQUE (run_id, step_id)
);
CREATE INDEX queue_due ON executor.queue (function_id, due_at);

-- Every row here is short-lived; the default (a fifth of the table) would let dead entries pile up at the head of queue_due.
ALTER TABLE executor.queue SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
