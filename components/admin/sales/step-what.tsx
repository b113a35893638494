import { useTranslations } from 'next-intl';
import { SelectField, TextAreaField, TextField } from '@/components/ui/field';
import type { Product } from '@/lib/contract/shapes/product';
import { PICTURES, picturePath } from './pictures';
import { NEW_PRODUCT } from './sale-form-values';
import type { StepProps } from './step-props';

/** What is sold: a product there is or a new one, and what the sale is called. */
export function StepWhat({ field, values, products }: StepProps & { products: Product[] }) {
  const t = useTranslations('Admin.form');
  return (
    <>
      <SelectField label={t('product')} {...field('productId')}>
        <option value={NEW_PRODUCT}>{t('newProduct')}</option>
        {products.map(({ productId, name }) => (
          <option key={productId} value={productId}>
            {name}
          </option>
        ))}
      </SelectField>
      {values.productId === NEW_PRODUCT ? (
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label={t('productName')} {...field('productName')} />
          <TextField label={t('productSlug')} hint={t('slugHint')} {...field('productSlug')} />
          <div className="sm:col-span-2">
            <TextAreaField label={t('description')} {...field('description')} />
          </div>
          <SelectField label={t('picture')} {...field('picture')}>
            {PICTURES.map((name) => (
              <option key={name} value={picturePath(name)}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
      ) : null}
      <TextField label={t('title')} {...field('title')} />
    </>
  );
}
