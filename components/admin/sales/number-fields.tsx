import { useTranslations } from 'next-intl';
import { TextField } from '@/components/ui/field';
import { isWhole, numbersOfStep } from './number-settings';
import type { FieldOf } from './step-props';

/** Shows a field for each number of a sale that belongs to the step. */
export function NumberFields({ step, field }: { step: string; field: FieldOf }) {
  const t = useTranslations('Admin.form');
  return numbersOfStep(step).map((name) => (
    <TextField
      key={name}
      label={t(`numbers.${name}`)}
      inputMode={isWhole(name) ? 'numeric' : 'decimal'}
      {...field(name)}
    />
  ));
}
