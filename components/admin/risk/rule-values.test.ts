import { describe, expect, it } from 'vitest';
import type { RiskRule } from '@/lib/contract/shapes/risk';
import {
  actionsOf,
  NEW_RULE,
  serverProblems,
  toDefinition,
  toRule,
  toRuleValues,
  withMetric,
} from './rule-values';

const rule = (definition: RiskRule['definition']): RiskRule => ({
  ruleId: 'r',
  name: 'Hoarders',
  definition,
  state: 'enabled',
  priority: 7,
  version: 3,
  changedBy: 'user_1',
  updatedAt: 0,
});

describe('[G11] the form of a rule', () => {
  it.each([
    { kind: 'block', forSec: 90 },
    { kind: 'limit', forSec: 172_800, perMinute: 4 },
    { kind: 'challenge', forSec: 3_600 },
    { kind: 'flag' },
  ] as const)('says $kind as the rule does', (action) => {
    const definition: RiskRule['definition'] = {
      metric: 'accounts',
      subject: 'device',
      windowSec: 86_400,
      comparison: 'at_least',
      threshold: 5,
      action,
    };
    expect(toRule(toRuleValues(rule(definition)))).toEqual({
      ok: true,
      rule: { name: 'Hoarders', definition, state: 'enabled', priority: 7 },
    });
  });

  it('names the fields the schema refuses', () => {
    const problemsOf = (more: Partial<typeof NEW_RULE>) => {
      const result = toRule({ ...NEW_RULE, name: 'x', ...more });
      return result.ok ? [] : Object.keys(result.problems);
    };
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf({ name: ' ' })).toEqual(['name']);
    expect(problemsOf({ threshold: '-1' })).toEqual(['threshold']);
    expect(problemsOf({ comparison: 'at_least', threshold: '0' })).toEqual(['threshold']);
    expect(problemsOf({ window: '2', windowUnit: 'day' })).toEqual(['window']);
    expect(problemsOf({ window: '1.5' })).toEqual(['window']);
    expect(problemsOf({ action: 'limit', perMinute: '', lasts: '0' }).sort()).toEqual(['lasts', 'perMinute']);
    expect(problemsOf({ metric: 'accounts', subject: 'user' })).toEqual(['subject']);
    expect(serverProblems([{ path: 'definition.windowSec', message: 'x' }])).toEqual({ window: true });
  });

  it('[M9] lets a score alone ask for a calculation, of 6 to 15 bits, from 0 to 100', () => {
    const graded = { ...NEW_RULE, name: 'x', metric: 'score', action: 'work', threshold: '40' } as const;
    expect(toRule(graded)).toMatchObject({
      ok: true,
      rule: { definition: { action: { kind: 'work', bits: 10 } } },
    });
    const read = toRule(graded);
    if (!read.ok) throw new Error('refused');
    expect(toRule(toRuleValues(rule(read.rule.definition)))).toMatchObject({
      rule: { definition: read.rule.definition },
    });
    const problemsOf = (more: Partial<typeof NEW_RULE>) => {
      const result = toRule({ ...graded, ...more });
      return result.ok ? [] : Object.keys(result.problems);
    };
    expect([problemsOf({ bits: '5' }), problemsOf({ bits: '16' }), problemsOf({ bits: 'hard' })]).toEqual([
      ['bits'],
      ['bits'],
      ['bits'],
    ]);
    expect([problemsOf({ threshold: '101' }), problemsOf({ threshold: '100' })]).toEqual([['threshold'], []]);
    expect(problemsOf({ subject: 'device' })).toEqual(['subject']);
    expect(toDefinition({ ...graded, metric: 'unpaid_orders' })).toBeNull();
    expect([actionsOf('score').includes('work'), actionsOf('accounts').includes('work')]).toEqual([
      true,
      false,
    ]);
    expect(withMetric(graded, 'accounts')).toMatchObject({ metric: 'accounts', action: 'challenge' });
  });

  it('can be tried before it has a name', () => {
    expect(toDefinition(NEW_RULE)).toMatchObject({ metric: 'unpaid_orders', windowSec: 3_600 });
    expect(toDefinition({ ...NEW_RULE, threshold: '' })).toBeNull();
  });

  it('moves to a subject that the metric can be counted for', () => {
    expect(withMetric(NEW_RULE, 'accounts').subject).toBe('ip');
    expect(withMetric({ ...NEW_RULE, subject: 'device' }, 'accounts').subject).toBe('device');
  });
});
