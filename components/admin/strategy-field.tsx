'use client';

import { useTranslations } from 'next-intl';
import type { ComponentProps } from 'react';
import { SelectField } from '@/components/ui/field';
import { STRATEGIES, toStrategy } from './sale-form-values';

/** Who decides the sale's purchases, with what that means. */
export function StrategyField(
  field: Omit<ComponentProps<typeof SelectField>, 'label' | 'hint' | 'children'>,
) {
  const t = useTranslations('Admin.form');
  const chosen = toStrategy(String(field.value));
  return (
    <SelectField label={t('strategy')} hint={t(`strategies.${chosen}.hint`)} {...field}>
      {STRATEGIES.map((strategy) => (
        <option key={strategy} value={strategy}>
          {t(`strategies.${strategy}.name`)}
        </option>
      ))}
    </SelectField>
  );
}
