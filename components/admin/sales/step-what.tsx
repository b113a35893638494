import { useTranslations } from 'next-intl';
import { SelectField, TextAreaField, TextField } from '@/components/ui/field';
import type { SaleTitles } from '@/lib/contract/shapes/by-language';
import type { Campaign } from '@/lib/contract/shapes/campaign';
import type { Product } from '@/lib/contract/shapes/product';
import type { ShopSummary } from '@/lib/contract/shapes/team';
import { ShopField } from '../kit/shop-field';
import { DeliveryFields } from '../products/delivery-fields';
import { PICTURES, picturePath } from './pictures';
import { NEW_PRODUCT } from './sale-form-values';
import type { StepProps } from './step-props';
import { TitleFields } from './title-fields';

/** Asks what is sold, an existing product or a new one, for the sale's title, and for its campaign. */
export function StepWhat({
  field,
  values,
  products,
  campaigns,
  shops,
  onTitles,
}: StepProps & {
  products: Product[];
  campaigns: Campaign[];
  shops: ShopSummary[];
  onTitles: (titles: SaleTitles) => void;
}) {
  const t = useTranslations('Admin.form');
  return (
    <>
      <SelectField label={t('product')} {...field('productId')}>
        <option value={NEW_PRODUCT}>{t('newProduct')}</option>
        {products.map(({ productId, name, status }) => (
          <option key={productId} value={productId}>
            {status === 'archived' ? t('archivedProduct', { name }) : name}
          </option>
        ))}
      </SelectField>
      {values.productId === NEW_PRODUCT ? (
        <div className="grid gap-5 sm:grid-cols-2">
          <ShopField shops={shops} {...field('shopId')} />
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
          <DeliveryFields way={field('delivery')} place={field('pickupPlace')} />
        </div>
      ) : null}
      <TextField label={t('title')} {...field('title')} />
      <TitleFields titles={values.titles} onChange={onTitles} />
      <SelectField label={t('campaign')} hint={t('campaignHint')} {...field('campaignId')}>
        <option value="">{t('noCampaign')}</option>
        {campaigns
          .filter(({ status, campaignId }) => status === 'open' || campaignId === values.campaignId)
          .map(({ campaignId, title }) => (
            <option key={campaignId} value={campaignId}>
              {title}
            </option>
          ))}
      </SelectField>
    </>
  );
}
