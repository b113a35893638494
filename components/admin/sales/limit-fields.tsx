'use client';

import { useTranslations } from 'next-intl';
import { TextField } from '@/components/ui/field';
import { LIMIT_ALGORITHMS } from '@/lib/contract/words/limit';
import { ChoiceField } from '../kit/choice-field';
import { LIMIT_SCOPES, type LimitProblems, type LimitScope, type LimitValues } from './limit-values';

interface LimitFieldsProps {
  values: LimitValues;
  problems: LimitProblems;
  onChange: (values: LimitValues) => void;
}

/** Edits how often one user, one address, one device, and all shoppers together may ask. Each has a row. */
export function LimitFields({ values, problems, onChange }: LimitFieldsProps) {
  const t = useTranslations('Admin.limits');
  const number = (scope: LimitScope, field: 'limit' | 'windowSec') => {
    const problem = problems[`${scope}.${field}`];
    return (
      <TextField
        label={t(field)}
        name={`${scope}.${field}`}
        inputMode="numeric"
        value={values[scope][field]}
        error={problem ? t('wrong', problem) : null}
        onChange={({ target }) =>
          onChange({ ...values, [scope]: { ...values[scope], [field]: target.value } })
        }
      />
    );
  };
  return LIMIT_SCOPES.map((scope) => (
    <fieldset key={scope} className="grid gap-4 sm:grid-cols-3">
      <legend className="mb-2 font-medium">{t(`scopes.${scope}`)}</legend>
      <ChoiceField
        label={t('algorithm')}
        name={`${scope}.algorithm`}
        value={values[scope].algorithm}
        choices={['', ...LIMIT_ALGORITHMS]}
        nameOf={(algorithm) => (algorithm ? t(`algorithms.${algorithm}.name`) : t('none'))}
        hintOf={(algorithm) => (algorithm ? t(`algorithms.${algorithm}.hint`) : undefined)}
        onChoose={(algorithm) => onChange({ ...values, [scope]: { ...values[scope], algorithm } })}
      />
      {values[scope].algorithm ? number(scope, 'limit') : null}
      {values[scope].algorithm ? number(scope, 'windowSec') : null}
    </fieldset>
  ));
}
