import { useTranslations } from 'next-intl';
import type { AdminProduct, SaleInfo } from '@/components/api/types';
import { Notice } from '@/components/ui/notice';
import { checkSaleForm, NEW_PRODUCT, type SaleFormValues, toNewSale } from '../sale-form-values';
import { PhaseTimeline } from './phase-timeline';
import { SalePreview } from './sale-preview';

/** What shoppers will see, and when; what is still missing is said instead. */
export function StepCheck({ values, products }: { values: SaleFormValues; products: AdminProduct[] }) {
  const t = useTranslations('DeskSales');
  if (Object.keys(checkSaleForm(values)).length > 0) return <Notice tone="warning">{t('incomplete')}</Notice>;
  const sale = toPreview(values, products);
  return (
    <>
      <PhaseTimeline sale={{ ...sale, entryOpensAt: sale.entryOpensAt ?? sale.startsAt }} />
      <SalePreview sale={sale} />
    </>
  );
}

function toPreview(values: SaleFormValues, products: AdminProduct[]): SaleInfo {
  const { listPriceMinor = null, reservation = null, ...sale } = toNewSale(values, values.productId);
  const known = products.find(({ productId }) => productId === values.productId);
  const product =
    values.productId === NEW_PRODUCT || !known
      ? { name: values.productName, description: values.description, attributes: {} }
      : known;
  const imageUrl = known ? known.imageUrl : values.picture || null;
  return { ...sale, listPriceMinor, reservation, imageUrl, product, saleId: '', slug: '' };
}
