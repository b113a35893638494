'use client';

import { useTranslations } from 'next-intl';
import type { ComponentProps } from 'react';
import { SelectField } from '@/components/ui/field';
import { CHALLENGES, toChallenge } from './sale-form-values';

/** What shoppers solve before entry, with what that keeps out. */
export function ChallengeField(
  field: Omit<ComponentProps<typeof SelectField>, 'label' | 'hint' | 'children'>,
) {
  const t = useTranslations('Admin.form');
  const chosen = toChallenge(String(field.value));
  return (
    <SelectField label={t('challenge')} hint={t(`challenges.${chosen}.hint`)} {...field}>
      {CHALLENGES.map((challenge) => (
        <option key={challenge} value={challenge}>
          {t(`challenges.${challenge}.name`)}
        </option>
      ))}
    </SelectField>
  );
}
