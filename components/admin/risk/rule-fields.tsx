'use client';

import { useTranslations } from 'next-intl';
import { TextField } from '@/components/ui/field';
import { RULE_STATES } from '@/lib/contract/words/risk';
import { ChoiceField } from '../kit/choice-field';
import {
  actionsOf,
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
  const text = (
    name: 'name' | 'threshold' | 'window' | 'lasts' | 'perMinute' | 'bits' | 'priority',
    hint?: string,
  ) => (
    <TextField
      label={t(`fields.${name}`)}
      hint={hint}
      value={values[name]}
      maxLength={name === 'name' ? 200 : 9}
      inputMode={name === 'name' ? 'text' : 'numeric'}
      autoComplete="off"
      error={problems[name] ? t(`wrong.${name}`) : null}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  );
  const unit = (name: 'windowUnit' | 'lastsUnit') => (
    <ChoiceField
      label={t('fields.unit')}
      value={values[name]}
      choices={UNIT_NAMES}
      nameOf={(each) => t(`units.${each}`)}
      onChoose={(each) => onChange({ [name]: each })}
    />
  );
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {text('name')}
      <ChoiceField
        label={t('fields.metric')}
        value={values.metric}
        choices={METRICS}
        nameOf={(metric) => t(`metrics.${metric}`)}
        onChoose={(metric) => onChange(withMetric(values, metric))}
      />
      <ChoiceField
        label={t('fields.subject')}
        value={values.subject}
        choices={subjectsOf(values.metric)}
        nameOf={(subject) => t(`subjects.${subject}`)}
        onChoose={(subject) => onChange({ subject })}
      />
      <div className="grid grid-cols-2 gap-3">
        {text('window')}
        {unit('windowUnit')}
      </div>
      <div className="grid grid-cols-2 gap-3">
        <ChoiceField
          label={t('fields.comparison')}
          value={values.comparison}
          choices={['above', 'at_least']}
          nameOf={(comparison) => t(`comparisons.${comparison}`)}
          onChoose={(comparison) => onChange({ comparison })}
        />
        {text('threshold')}
      </div>
      <ChoiceField
        label={t('fields.action')}
        value={values.action}
        choices={actionsOf(values.metric)}
        nameOf={(action) => t(`actions.${action}`)}
        onChoose={(action) => onChange({ action })}
      />
      {values.action === 'flag' || values.action === 'work' ? null : (
        <div className="grid grid-cols-2 gap-3">
          {text('lasts')}
          {unit('lastsUnit')}
        </div>
      )}
      {values.action === 'limit' ? text('perMinute') : null}
      {values.action === 'work' ? text('bits', t('bitsHint')) : null}
      <ChoiceField
        label={t('fields.state')}
        value={values.state}
        choices={RULE_STATES}
        nameOf={(state) => t(`states.${state}`)}
        onChoose={(state) => onChange({ state })}
      />
      {text('priority', t('priorityHint'))}
    </div>
  );
}
