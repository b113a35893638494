import type { RiskRule } from '@/lib/contract/shapes/risk';
import type { Counter } from './count-events';
import type { RiskHit } from './types';

/**
 * Returns the rules that a count hits, those with the lowest priority number first. Of rules that ask for a calculation
 * only the one that asks for the hardest.
 * @param rules in any order; disabled ones never hit
 * @param count within the counter's window
 */
export function findHits(rules: readonly RiskRule[], counter: Counter, count: number): RiskHit[] {
  const hit = rules
    .filter(({ state, definition }) => {
      if (state === 'disabled' || !isCountedBy(definition, counter)) return false;
      return definition.comparison === 'above' ? count > definition.threshold : count >= definition.threshold;
    })
    .sort((a, b) => a.priority - b.priority || (a.ruleId < b.ruleId ? -1 : 1));
  const bits = Math.max(...hit.map(workOf));
  return hit
    .filter((rule) => workOf(rule) === 0 || workOf(rule) === bits)
    .map((rule) => ({ rule, kind: counter.kind, value: counter.value, count }));
}

/** The bits of the calculation that a rule asks for now; 0: none. */
const workOf = ({ state, definition: { action } }: RiskRule): number =>
  state === 'enabled' && action.kind === 'work' ? action.bits : 0;

const isCountedBy = ({ metric, subject, windowSec }: RiskRule['definition'], counter: Counter): boolean =>
  metric === counter.metric && subject === counter.kind && windowSec === counter.windowSec;
