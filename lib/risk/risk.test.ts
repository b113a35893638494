import { describe, expect, it } from 'vitest';
import {
  newRule,
  type RiskRule,
  type RuleDefinition,
  ruleDefinition,
  ruleEdit,
} from '@/lib/contract/shapes/risk';
import { findHits } from './find-hits';
import { createMeasures } from './measures';

const definition = (more: Partial<RuleDefinition> = {}): RuleDefinition => ({
  metric: 'unpaid_orders',
  subject: 'user',
  windowSec: 3_600,
  comparison: 'above',
  threshold: 5,
  action: { kind: 'block', forSec: 3_600 },
  ...more,
});
const rule = (ruleId: string, more: Partial<RiskRule> = {}): RiskRule => ({
  ruleId,
  name: ruleId,
  definition: definition(),
  state: 'enabled',
  priority: 100,
  version: 1,
  changedBy: 'user_1',
  updatedAt: 0,
  ...more,
});
const counter = { metric: 'unpaid_orders', windowSec: 3_600, kind: 'user', value: 'user_1' } as const;

describe('findHits', () => {
  it('[G10] hits above the threshold, or from it on, as the rule says', () => {
    const rules = [
      rule('above'),
      rule('at least', { definition: definition({ comparison: 'at_least' }), priority: 200 }),
    ];
    const hit = (count: number) => findHits(rules, counter, count).map((each) => each.rule.ruleId);
    expect([4, 5, 6].map(hit)).toEqual([[], ['at least'], ['above', 'at least']]);
  });

  it('[G11] looks at what the rule counts, in its order, and leaves the disabled alone', () => {
    const rules = [
      rule('late', { priority: 9 }),
      rule('dry', { priority: 8, state: 'dry_run' }),
      rule('off', { priority: 1, state: 'disabled' }),
      rule('other window', { definition: definition({ windowSec: 60 }) }),
      rule('other subject', { definition: definition({ subject: 'ip' }) }),
      rule('other metric', { definition: definition({ metric: 'purchase_requests' }) }),
    ];
    expect(findHits(rules, counter, 100).map((each) => each.rule.ruleId)).toEqual(['dry', 'late']);
  });
});

describe('a rule', () => {
  it.each([
    ['no such metric', { metric: 'x' }],
    ['a subject the metric has not', { metric: 'accounts', subject: 'user' }],
    ['no window', { windowSec: 0 }],
    ['a window of more than a day', { windowSec: 86_401 }],
    ['one that hits everybody', { comparison: 'at_least', threshold: 0 }],
    ['no number', { threshold: Number.NaN }],
    ['an action without an end', { action: { kind: 'block' } }],
    ['an action for ever', { action: { kind: 'block', forSec: 1e12 } }],
    ['an unknown action', { action: { kind: 'shout' } }],
    ['a limit of nothing', { action: { kind: 'limit', forSec: 60, perMinute: 0 } }],
  ])('[G11] is refused: %s', (_, more) => {
    expect(ruleDefinition.safeParse({ ...definition(), ...more }).success).toBe(false);
  });

  it('[G11] is a dry run unless said otherwise; an edit names its version and changes something', () => {
    expect(newRule.parse({ name: ' Mine ', definition: definition() })).toMatchObject({
      name: 'Mine',
      state: 'dry_run',
      priority: 100,
    });
    expect(ruleEdit.safeParse({ version: 1 }).success).toBe(false);
    expect(ruleEdit.safeParse({ state: 'enabled' }).success).toBe(false);
    expect(ruleEdit.safeParse({ version: 1, state: 'enabled' }).success).toBe(true);
  });
});

describe('measures', () => {
  it('[G10] the lowest limit of account, address and device holds, until it is over', () => {
    const limit = (kind: 'user' | 'ip', perMinute: number, expiresAt: number) =>
      ({ kind, value: 'x', action: { kind: 'limit', perMinute }, expiresAt }) as const;
    const measures = createMeasures([limit('user', 10, 100), limit('ip', 3, 50), limit('ip', 5, 80)]);
    const at = (nowMs: number, user = 'x', ip = 'x') =>
      measures.find({ user, ip, device: '' }, nowMs).perMinute;
    expect([at(49), at(50), at(80), at(100), at(0, 'y'), at(0, 'y', 'y')]).toEqual([3, 5, 10, null, 3, null]);
  });

  it('[G10] a challenge is asked of whom it was set on', () => {
    const measures = createMeasures([
      { kind: 'device', value: 'd', action: { kind: 'challenge' }, expiresAt: 10 },
    ]);
    const isChallenged = (device: string, nowMs: number) =>
      measures.find({ user: 'd', ip: 'd', device }, nowMs).isChallenged;
    expect([isChallenged('d', 9), isChallenged('d', 10), isChallenged('e', 0)]).toEqual([true, false, false]);
  });
});
