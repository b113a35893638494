import '@/lib/zod-without-eval';
import type { ProblemField } from '@/components/api/api-problem';
import {
  type CreateRuleInput,
  newRule,
  type RiskRule,
  type RuleAction,
  type RuleDefinition,
  ruleDefinition,
} from '@/lib/contract/shapes/risk';
import { RISK_METRICS, type RiskMetric, type RiskSubject, type RuleState } from '@/lib/contract/words/risk';

export const METRICS = Object.keys(RISK_METRICS) as RiskMetric[];
export const ACTIONS = ['block', 'limit', 'challenge', 'flag'] as const satisfies RuleAction['kind'][];

/** The units of a length of time in the form, in s. */
const UNITS = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;
type Unit = keyof typeof UNITS;
export const UNIT_NAMES = Object.keys(UNITS) as Unit[];

/** The fields of a rule as the user typed them. */
export interface RuleValues {
  name: string;
  metric: RiskMetric;
  subject: RiskSubject;
  comparison: 'above' | 'at_least';
  threshold: string;
  window: string;
  windowUnit: Unit;
  action: RuleAction['kind'];
  lasts: string;
  lastsUnit: Unit;
  perMinute: string;
  state: RuleState;
  priority: string;
}

/** Marks the fields of the form that are wrong. */
export type RuleProblems = Partial<Record<keyof RuleValues, true>>;

export const NEW_RULE: RuleValues = {
  name: '',
  metric: 'unpaid_orders',
  subject: 'user',
  comparison: 'above',
  threshold: '5',
  window: '1',
  windowUnit: 'hour',
  action: 'flag',
  lasts: '1',
  lastsUnit: 'hour',
  perMinute: '6',
  state: 'dry_run',
  priority: '100',
};

/** Returns the subjects that a metric can be counted for. */
export const subjectsOf = (metric: RiskMetric): readonly RiskSubject[] => RISK_METRICS[metric].subjects;

/** Returns what the fields show for a rule. */
export function toRuleValues({ name, definition, state, priority }: RiskRule): RuleValues {
  const { metric, subject, comparison, threshold, windowSec, action } = definition;
  const window = inUnits(windowSec);
  const lasts = inUnits(action.kind === 'flag' ? UNITS.hour : action.forSec);
  return {
    name,
    metric,
    subject,
    comparison,
    state,
    threshold: String(threshold),
    window: window.amount,
    windowUnit: window.unit,
    action: action.kind,
    lasts: lasts.amount,
    lastsUnit: lasts.unit,
    priority: String(priority),
    perMinute: action.kind === 'limit' ? String(action.perMinute) : NEW_RULE.perMinute,
  };
}

/**
 * Returns the values with another metric. If the subject can't be counted for that metric, it takes the metric's
 * first subject.
 */
export function withMetric(values: RuleValues, metric: RiskMetric): RuleValues {
  const [first = 'ip'] = subjectsOf(metric);
  const subject = subjectsOf(metric).includes(values.subject) ? values.subject : first;
  return { ...values, metric, subject };
}

/** Makes a rule of the fields, checked by the same schema as on the server; or returns the fields that are wrong. */
export function toRule(
  values: RuleValues,
): { ok: true; rule: CreateRuleInput } | { ok: false; problems: RuleProblems } {
  const { name, state, priority } = values;
  const definition = typedDefinition(values);
  const result = newRule.safeParse({ name, definition, state, priority: whole(priority) });
  if (result.success) return { ok: true, rule: result.data };
  return { ok: false, problems: toProblems(result.error.issues.map(({ path }) => path.join('.'))) };
}

/** Makes the rule's definition of the fields, whatever its name. Null while they are incomplete. */
export function toDefinition(values: RuleValues): RuleDefinition | null {
  const result = ruleDefinition.safeParse(typedDefinition(values));
  return result.success ? result.data : null;
}

const typedDefinition = (values: RuleValues) => {
  const { metric, subject, comparison } = values;
  const windowSec = whole(values.window) * UNITS[values.windowUnit];
  return {
    metric,
    subject,
    comparison,
    threshold: whole(values.threshold),
    windowSec,
    action: toAction(values),
  };
};

/** Marks the fields that the server's refusal names. */
export const serverProblems = (fields: readonly ProblemField[]): RuleProblems =>
  toProblems(fields.map(({ path }) => path));

const FIELDS: Record<string, keyof RuleValues> = {
  name: 'name',
  priority: 'priority',
  'definition.windowSec': 'window',
  'definition.subject': 'subject',
  'definition.threshold': 'threshold',
  'definition.action.forSec': 'lasts',
  'definition.action.perMinute': 'perMinute',
};

const toProblems = (paths: readonly string[]): RuleProblems =>
  Object.fromEntries(paths.flatMap((path) => (FIELDS[path] ? [[FIELDS[path], true]] : [])));

function toAction({ action, lasts, lastsUnit, perMinute }: RuleValues) {
  if (action === 'flag') return { kind: action };
  const forSec = whole(lasts) * UNITS[lastsUnit];
  return action === 'limit'
    ? { kind: action, forSec, perMinute: whole(perMinute) }
    : { kind: action, forSec };
}

/** Reads a whole number. Anything else becomes NaN, which the schema refuses. */
const whole = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN);

/** Expresses a length of time in the largest unit that divides it. */
function inUnits(seconds: number): { amount: string; unit: Unit } {
  const unit = UNIT_NAMES.findLast((name) => seconds % UNITS[name] === 0) ?? 'second';
  return { amount: String(seconds / UNITS[unit]), unit };
}
