import type { RiskRule } from '@/lib/contract/shapes/risk';
import type { Counter } from './count-events';
import type { RiskHit } from './types';

/**
 * Returns the rules that a count hits, those with the lowest priority number first.
 * @param rules in any order; disabled ones never hit
 * @param count within the counter's window
 */
export function findHits(rules: readonly RiskRule[], counter: Counter, count: number): RiskHit[] {
  return rules
    .filter(({ state, definition }) => {
      if (state === 'disabled' || !isCountedBy(definition, counter)) return false;
      return definition.comparison === 'above' ? count > definition.threshold : count >= definition.threshold;
    })
    .sort((a, b) => a.priority - b.priority || (a.ruleId < b.ruleId ? -1 : 1))
    .map((rule) => ({ rule, kind: counter.kind, value: counter.value, count }));
}

const isCountedBy = ({ metric, subject, windowSec }: RiskRule['definition'], counter: Counter): boolean =>
  metric === counter.metric && subject === counter.kind && windowSec === counter.windowSec;
