'use client';

import { useTranslations } from 'next-intl';
import { SelectField, TextField } from '@/components/ui/field';
import type { RiskRule } from '@/lib/contract/shapes/risk';
import { RISK_SUBJECTS } from '@/lib/contract/words/risk';
import { ChoiceField } from '../kit/choice-field';
import type { HitFilter } from './use-hit-filter';

interface HitFilterFieldsProps {
  filter: HitFilter;
  rules: readonly RiskRule[];
  onFilter: (change: Partial<HitFilter>) => void;
}

/** The filter of the hits. The address may name a rule that was deleted. */
export function HitFilterFields({ filter, rules, onFilter }: HitFilterFieldsProps) {
  const t = useTranslations('AdminRisk');
  const text = (name: 'value' | 'saleId') => (
    <TextField
      label={t(`filter.${name}`)}
      type="search"
      maxLength={200}
      value={filter[name]}
      onChange={({ target }) => onFilter({ [name]: target.value.trim() })}
    />
  );
  return (
    <div className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-5">
      <ChoiceField
        label={t('filter.state')}
        value={filter.state}
        choices={['all', 'live']}
        nameOf={(state) => t(`filter.${state}`)}
        onChoose={(state) => onFilter({ state })}
      />
      <SelectField
        label={t('filter.rule')}
        value={filter.ruleId}
        onChange={({ target }) => onFilter({ ruleId: target.value })}
      >
        <option value="">{t('filter.any')}</option>
        {rules.map(({ ruleId, name }) => (
          <option key={ruleId} value={ruleId}>
            {name}
          </option>
        ))}
        {filter.ruleId && !rules.some(({ ruleId }) => ruleId === filter.ruleId) ? (
          <option value={filter.ruleId}>{filter.ruleId}</option>
        ) : null}
      </SelectField>
      <ChoiceField
        label={t('filter.kind')}
        value={filter.kind}
        choices={['', ...RISK_SUBJECTS]}
        nameOf={(kind) => (kind ? t(`subjects.${kind}`) : t('filter.any'))}
        onChoose={(kind) => onFilter({ kind })}
      />
      {text('value')}
      {text('saleId')}
    </div>
  );
}
