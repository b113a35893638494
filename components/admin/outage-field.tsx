'use client';

import { useTranslations } from 'next-intl';
import type { ComponentProps } from 'react';
import { SelectField } from '@/components/ui/field';
import { OUTAGES } from './sale-form-values';

/** What the sale does while Redis can't be reached, with what that means. */
export function OutageField(field: Omit<ComponentProps<typeof SelectField>, 'label' | 'hint' | 'children'>) {
  const t = useTranslations('Admin.form');
  const chosen = OUTAGES.find((outage) => outage === field.value) ?? 'closed';
  return (
    <SelectField label={t('onStockOutage')} hint={t(`outages.${chosen}.hint`)} {...field}>
      {OUTAGES.map((outage) => (
        <option key={outage} value={outage}>
          {t(`outages.${outage}.name`)}
        </option>
      ))}
    </SelectField>
  );
}
