'use client';

import { useTranslations } from 'next-intl';
import { TextField } from '@/components/ui/field';
import { RULE_STATES } from '@/lib/contract/words/risk';
import { ChoiceField } from '../kit/choice-field';
import {
  ACTIONS,
  METRICS,
  type RuleProblems,
  type RuleValues,
  subjectsOf,
  UNIT_NAMES,
  withMetric,
} from './rule-values';

interface RuleFieldsProps {
  values: RuleValues;
  problems: RuleProblems;
  onChange: (part: Partial<RuleValues>) => void;
}

/** The fields of a rule, in the order in which the rule's sentence names them. */
export function RuleFields({ values, problems, onChange }: RuleFieldsProps) {
  const t = useTranslations('AdminRisk');
  const label = (name: Exclude<keyof RuleValues, 'windowUnit' | 'lastsUnit'>) => t(`fields.${name}`);
  const text = (
    name: 'name' | 'threshold' | 'window' | 'lasts' | 'perMinute' | 'priority',
    hint?: string,
  ) => (
    <TextField
      label={label(name)}
      hint={hint}
      value={values[name]}
      maxLength={name === 'name' ? 200 : 9}
      inputMode={name === 'name' ? 'text' : 'numeric'}
      autoComplete="off"
      error={problems[name] ? t(`wrong.${name}`) : null}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  );
  const choice = <N extends 'subject' | 'comparison' | 'action' | 'state'>(
    name: N,
    choices: readonly RuleValues[N][],
    nameOf: (choice: RuleValues[N]) => string,
  ) => (
    <ChoiceField
      label={label(name)}
      value={values[name]}
      choices={choices}
      nameOf={nameOf}
      onChoose={(value) => onChange({ [name]: value })}
    />
  );
  const lengthOfTime = (name: 'window' | 'lasts') => (
    <div className="grid grid-cols-2 gap-3">
      {text(name)}
      <ChoiceField
        label={t('fields.unit')}
        value={values[`${name}Unit`]}
        choices={UNIT_NAMES}
        nameOf={(unit) => t(`units.${unit}`)}
        onChoose={(unit) => onChange({ [`${name}Unit`]: unit })}
      />
    </div>
  );
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {text('name')}
      <ChoiceField
        label={label('metric')}
        value={values.metric}
        choices={METRICS}
        nameOf={(metric) => t(`metrics.${metric}`)}
        onChoose={(metric) => onChange(withMetric(values, metric))}
      />
      {choice('subject', subjectsOf(values.metric), (subject) => t(`subjects.${subject}`))}
      {lengthOfTime('window')}
      <div className="grid grid-cols-2 gap-3">
        {choice('comparison', ['above', 'at_least'], (comparison) => t(`comparisons.${comparison}`))}
        {text('threshold')}
      </div>
      {choice('action', ACTIONS, (action) => t(`actions.${action}`))}
      {values.action === 'flag' ? null : lengthOfTime('lasts')}
      {values.action === 'limit' ? text('perMinute') : null}
      {choice('state', RULE_STATES, (state) => t(`states.${state}`))}
      {text('priority', t('priorityHint'))}
    </div>
  );
}
