import { useTranslations } from 'next-intl';
import { SelectField, TextField } from '@/components/ui/field';
import { SALE_PROVIDERS } from '@/lib/contract/words/payment';
import { FORM_CURRENCIES } from '../kit/form-currencies';
import { NumberFields } from './number-fields';
import type { StepProps } from './step-props';
import { VariantFields, type VariantFieldsProps } from './variant-fields';
import { sumOfStocks } from './variant-values';

interface StepPriceProps extends StepProps, Pick<VariantFieldsProps, 'pictures' | 'errorOf'> {
  onVariants: VariantFieldsProps['onChange'];
}

/** Asks for the price, and for the stock: of the sale, or of each of its variants. */
export function StepPrice({ field, values, pictures, errorOf, onVariants }: StepPriceProps) {
  const t = useTranslations('Admin.form');
  const currency = field('currency');
  return (
    <div className="grid gap-5 sm:grid-cols-3">
      <TextField label={t('price')} inputMode="decimal" {...field('price')} />
      <TextField label={t('listPrice')} inputMode="decimal" {...field('listPrice')} />
      <SelectField label={t('currency')} {...currency}>
        {[...new Set([...FORM_CURRENCIES, currency.value])].map((code) => (
          <option key={code}>{code}</option>
        ))}
      </SelectField>
      {values.variants.length > 0 ? (
        <div className="grid content-start gap-1.5">
          <p className="font-medium">{t('totalStock')}</p>
          <p className="flex min-h-11 items-center tabular-nums">
            {t('variants.total', { count: sumOfStocks(values.variants) })}
          </p>
        </div>
      ) : (
        <TextField
          label={t('totalStock')}
          hint={t('totalStockHint')}
          inputMode="numeric"
          {...field('totalStock')}
        />
      )}
      <NumberFields step="price" field={field} />
      <SelectField label={t('provider')} {...field('provider')}>
        {SALE_PROVIDERS.map((provider) => (
          <option key={provider} value={provider}>
            {t(`providers.${provider}`)}
          </option>
        ))}
      </SelectField>
      <div className="sm:col-span-3">
        <VariantFields
          variants={values.variants}
          pictures={pictures}
          errorOf={errorOf}
          onChange={onVariants}
        />
      </div>
    </div>
  );
}
