-- Work by score: the more suspicious an entry or a join looks, the longer its browser calculates. Each grade is a rule, so
-- that it can be changed, tried and switched off like any other. A release that knows no scores counts nothing for them.
INSERT INTO risk_rules (id, name, definition, state, priority, changed_by) VALUES
  ('work-light', 'A score of 40 or more: a calculation of a moment',
   '{"metric": "score", "subject": "user", "windowSec": 3600, "comparison": "at_least", "threshold": 40, "action": {"kind": "work", "bits": 8}}',
   'enabled', 70, 'seckill'),
  ('work-usual', 'A score of 55 or more: a calculation of a second',
   '{"metric": "score", "subject": "user", "windowSec": 3600, "comparison": "at_least", "threshold": 55, "action": {"kind": "work", "bits": 10}}',
   'enabled', 71, 'seckill'),
  ('work-long', 'A score of 70 or more: a calculation of some seconds',
   '{"metric": "score", "subject": "user", "windowSec": 3600, "comparison": "at_least", "threshold": 70, "action": {"kind": "work", "bits": 12}}',
   'enabled', 72, 'seckill'),
  ('work-longest', 'A score of 85 or more: a calculation of half a minute',
   '{"metric": "score", "subject": "user", "windowSec": 3600, "comparison": "at_least", "threshold": 85, "action": {"kind": "work", "bits": 15}}',
   'enabled', 73, 'seckill')
ON CONFLICT (id) DO NOTHING;
