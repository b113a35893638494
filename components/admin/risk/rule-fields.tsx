'use client';

import { useTranslations } from 'next-intl';
import { SelectField, TextField } from '@/components/ui/field';
import { type RiskMetric, RULE_STATES } from '@/lib/contract/words/risk';
import {
  ACTIONS,
  METRICS,
  type RuleProblems,
  type RuleValues,
  subjectsOf,
  UNITS,
  type Unit,
  withMetric,
} from './rule-values';

interface RuleFieldsProps {
  values: RuleValues;
  problems: RuleProblems;
  onChange: (part: Partial<RuleValues>) => void;
}

/** The fields of a rule, in the order in which its sentence says them. */
export function RuleFields({ values, problems, onChange }: RuleFieldsProps) {
  const t = useTranslations('AdminRisk');
  const text = (
    name: 'name' | 'threshold' | 'window' | 'lasts' | 'perMinute' | 'priority',
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
    <SelectField
      label={t('fields.unit')}
      value={values[name]}
      onChange={({ target }) => onChange({ [name]: target.value as Unit })}
    >
      {Object.keys(UNITS).map((each) => (
        <option key={each} value={each}>
          {t(`units.${each as Unit}`)}
        </option>
      ))}
    </SelectField>
  );
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {text('name')}
      <SelectField
        label={t('fields.metric')}
        value={values.metric}
        onChange={({ target }) => onChange(withMetric(values, target.value as RiskMetric))}
      >
        {METRICS.map((metric) => (
          <option key={metric} value={metric}>
            {t(`metrics.${metric}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('fields.subject')}
        value={values.subject}
        onChange={({ target }) => onChange({ subject: target.value as RuleValues['subject'] })}
      >
        {subjectsOf(values.metric).map((subject) => (
          <option key={subject} value={subject}>
            {t(`subjects.${subject}`)}
          </option>
        ))}
      </SelectField>
      <div className="grid grid-cols-2 gap-3">
        {text('window')}
        {unit('windowUnit')}
      </div>
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          label={t('fields.comparison')}
          value={values.comparison}
          onChange={({ target }) => onChange({ comparison: target.value as RuleValues['comparison'] })}
        >
          <option value="above">{t('comparisons.above')}</option>
          <option value="at_least">{t('comparisons.at_least')}</option>
        </SelectField>
        {text('threshold')}
      </div>
      <SelectField
        label={t('fields.action')}
        value={values.action}
        onChange={({ target }) => onChange({ action: target.value as RuleValues['action'] })}
      >
        {ACTIONS.map((action) => (
          <option key={action} value={action}>
            {t(`actions.${action}`)}
          </option>
        ))}
      </SelectField>
      {values.action === 'flag' ? null : (
        <div className="grid grid-cols-2 gap-3">
          {text('lasts')}
          {unit('lastsUnit')}
        </div>
      )}
      {values.action === 'limit' ? text('perMinute') : null}
      <SelectField
        label={t('fields.state')}
        value={values.state}
        onChange={({ target }) => onChange({ state: target.value as RuleValues['state'] })}
      >
        {RULE_STATES.map((state) => (
          <option key={state} value={state}>
            {t(`states.${state}`)}
          </option>
        ))}
      </SelectField>
      {text('priority', t('priorityHint'))}
    </div>
  );
}
