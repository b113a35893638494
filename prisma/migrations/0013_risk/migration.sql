-- Rules against hoarders and scripts, as data; who they hit, and what was done about it.
CREATE TABLE risk_rules (
  id         text           NOT NULL PRIMARY KEY,
  name       text           NOT NULL,
  -- metric, subject, window, comparison, threshold and action, as `lib/risk/rule-schema.ts` checks them.
  definition jsonb          NOT NULL,
  state      text           NOT NULL CHECK (state IN ('enabled', 'dry_run', 'disabled')),
  -- Lower ones first.
  priority   integer        NOT NULL DEFAULT 100,
  version    integer        NOT NULL DEFAULT 1,
  changed_by text           NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Hits keep pointing at it.
  deleted_at timestamptz(3)
);

CREATE TABLE risk_hits (
  id           BIGSERIAL      NOT NULL PRIMARY KEY,
  rule_id      text           NOT NULL REFERENCES risk_rules (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  rule_version integer        NOT NULL,
  kind         text           NOT NULL CHECK (kind IN ('user', 'ip', 'device')),
  value        text           NOT NULL CHECK (value <> ''),
  -- Which window since 1970 it fell into: a rule hits a subject once in each.
  period       bigint         NOT NULL,
  -- What was counted, and what was allowed.
  counters     jsonb          NOT NULL,
  action       jsonb          NOT NULL,
  dry_run      boolean        NOT NULL,
  sale_id      text,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Until when its action lasts; NULL: there is nothing that lasts.
  expires_at   timestamptz(3),
  released_at  timestamptz(3),
  released_by  text,
  CONSTRAINT risk_hits_released_check CHECK ((released_at IS NULL) = (released_by IS NULL))
);
CREATE UNIQUE INDEX risk_hits_rule_id_kind_value_period_key ON risk_hits (rule_id, kind, value, period);
CREATE INDEX risk_hits_sale_id_idx ON risk_hits (sale_id);
-- What every web process follows: limits and challenges in force.
CREATE INDEX risk_hits_measures_idx ON risk_hits (expires_at)
  WHERE released_at IS NULL AND NOT dry_run AND action ->> 'kind' IN ('limit', 'challenge');
-- What the worker reads: orders that ended unpaid, as they end.
CREATE INDEX orders_cancelled_at_idx ON orders (cancelled_at) WHERE status = 'cancelled';

INSERT INTO risk_rules (id, name, definition, state, priority, changed_by) VALUES
  ('unpaid-by-account', 'More than 5 unpaid orders in an hour: no purchases for an hour',
   '{"metric": "unpaid_orders", "subject": "user", "windowSec": 3600, "comparison": "above", "threshold": 5, "action": {"kind": "block", "forSec": 3600}}',
   'enabled', 10, 'seckill'),
  ('unpaid-by-device', 'More than 3 unpaid orders from one device in a day: the device is blocked for a day',
   '{"metric": "unpaid_orders", "subject": "device", "windowSec": 86400, "comparison": "above", "threshold": 3, "action": {"kind": "block", "forSec": 86400}}',
   'enabled', 20, 'seckill'),
  ('requests-by-address', 'More than 100 purchase requests a minute from one address: each of its accounts may ask 6 times a minute',
   '{"metric": "purchase_requests", "subject": "ip", "windowSec": 60, "comparison": "above", "threshold": 100, "action": {"kind": "limit", "perMinute": 6, "forSec": 600}}',
   'enabled', 30, 'seckill'),
  ('hammering-by-address', 'More than 300 refused requests a minute from one limited address: blocked for 10 minutes',
   '{"metric": "limited_requests", "subject": "ip", "windowSec": 60, "comparison": "above", "threshold": 300, "action": {"kind": "block", "forSec": 600}}',
   'enabled', 40, 'seckill'),
  ('accounts-by-device', 'More than 5 accounts on one device in a day: the device is blocked for an hour',
   '{"metric": "accounts", "subject": "device", "windowSec": 86400, "comparison": "above", "threshold": 5, "action": {"kind": "block", "forSec": 3600}}',
   'enabled', 50, 'seckill'),
  ('failed-challenges-by-account', 'More than 10 failed challenges in ten minutes: noted',
   '{"metric": "challenges_failed", "subject": "user", "windowSec": 600, "comparison": "above", "threshold": 10, "action": {"kind": "flag"}}',
   'dry_run', 60, 'seckill');
