import { useTranslations } from 'next-intl';
import { SelectField, TextField } from '@/components/ui/field';
import { LATE_MONEY } from '@/lib/contract/words/sale';
import { NumberFields } from './number-fields';
import { PhaseTimeline } from './phase-timeline';
import { checkSaleForm, toNewSale } from './sale-form-values';
import type { StepProps } from './step-props';

/** Asks when shoppers enter, buy and pay, and shows the timeline that follows from it. */
export function StepWhen({ field, values }: StepProps) {
  const t = useTranslations('Admin.form');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { startsAt, endsAt } = checkSaleForm(values);
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={t('startsAt')}
          type="datetime-local"
          hint={t('timesLocal', { zone })}
          {...field('startsAt')}
        />
        <TextField label={t('endsAt')} type="datetime-local" {...field('endsAt')} />
        <TextField label={t('entryOpensAt')} inputMode="numeric" {...field('entryMinutes')} />
        <NumberFields step="when" field={field} />
        <SelectField label={t('lateMoney')} {...field('lateMoney')}>
          {LATE_MONEY.map((choice) => (
            <option key={choice} value={choice}>
              {t(`lateMoneys.${choice}`)}
            </option>
          ))}
        </SelectField>
        <div className="grid gap-5 sm:col-span-2 sm:grid-cols-2">
          <TextField
            label={t('reservationOpensAt')}
            type="datetime-local"
            hint={t('reservationHint')}
            {...field('reservationOpensAt')}
          />
          <TextField
            label={t('reservationClosesAt')}
            type="datetime-local"
            {...field('reservationClosesAt')}
          />
        </div>
      </div>
      {startsAt || endsAt ? null : <PhaseTimeline sale={toNewSale(values, '')} />}
    </>
  );
}
