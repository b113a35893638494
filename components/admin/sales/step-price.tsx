import { useTranslations } from 'next-intl';
import { SelectField, TextField } from '@/components/ui/field';
import { SALE_PROVIDERS } from '@/lib/contract/words/payment';
import { NumberFields } from './number-fields';
import type { StepProps } from './step-props';

const CURRENCIES = ['USD', 'EUR', 'GBP', 'CNY', 'JPY'];

/** Asks for the price and the stock. */
export function StepPrice({ field }: StepProps) {
  const t = useTranslations('Admin.form');
  const currency = field('currency');
  return (
    <div className="grid gap-5 sm:grid-cols-3">
      <TextField label={t('price')} inputMode="decimal" {...field('price')} />
      <TextField label={t('listPrice')} inputMode="decimal" {...field('listPrice')} />
      <SelectField label={t('currency')} {...currency}>
        {[...new Set([...CURRENCIES, currency.value])].map((code) => (
          <option key={code}>{code}</option>
        ))}
      </SelectField>
      <TextField
        label={t('totalStock')}
        hint={t('totalStockHint')}
        inputMode="numeric"
        {...field('totalStock')}
      />
      <NumberFields step="price" field={field} />
      <SelectField label={t('provider')} {...field('provider')}>
        {SALE_PROVIDERS.map((provider) => (
          <option key={provider} value={provider}>
            {t(`providers.${provider}`)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
