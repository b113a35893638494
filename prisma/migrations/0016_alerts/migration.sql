-- What an alert rule found, from its first breach to its end; resolved ones are the history.
CREATE TABLE alerts (
  id              BIGSERIAL        NOT NULL PRIMARY KEY,
  rule            text             NOT NULL,
  -- Which sale, topic, lock …; '' for rules about the whole.
  subject         text             NOT NULL,
  -- Set where it is about a sale: its merchant may see it.
  sale_id         text,
  state           text             NOT NULL CHECK (state IN ('pending', 'firing', 'resolved')),
  value           double precision NOT NULL,
  peak            double precision NOT NULL,
  threshold       double precision NOT NULL,
  since           timestamptz(3)   NOT NULL,
  fired_at        timestamptz(3),
  -- Since when its value has been good again.
  clear_since     timestamptz(3),
  resolved_at     timestamptz(3),
  acknowledged_at timestamptz(3),
  acknowledged_by text,
  note            text,
  CONSTRAINT alerts_times_check CHECK ((state = 'pending') = (fired_at IS NULL)
                                       AND (state = 'resolved') = (resolved_at IS NOT NULL)),
  CONSTRAINT alerts_acknowledged_check CHECK ((acknowledged_at IS NULL) = (acknowledged_by IS NULL))
);
-- One at a time.
CREATE UNIQUE INDEX alerts_one_open_idx ON alerts (rule, subject) WHERE state <> 'resolved';
CREATE INDEX alerts_sale_id_idx ON alerts (sale_id);

-- What operators changed of the rules in lib/alert/rules.ts.
CREATE TABLE alert_rules (
  id         text             NOT NULL PRIMARY KEY,
  threshold  double precision NOT NULL,
  enabled    boolean          NOT NULL,
  version    integer          NOT NULL,
  changed_by text             NOT NULL,
  updated_at timestamptz(3)   NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- One row: which worker evaluates, and that none does twice.
CREATE TABLE alert_evaluation (
  id smallint       NOT NULL PRIMARY KEY,
  at timestamptz(3) NOT NULL,
  CONSTRAINT alert_evaluation_id_check CHECK (id = 1)
);
INSERT INTO alert_evaluation (id, at) VALUES (1, 'epoch');

-- A rule's hits of the last minutes.
CREATE INDEX risk_hits_created_at_idx ON risk_hits (created_at);
