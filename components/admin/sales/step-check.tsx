import { useTranslations } from 'next-intl';
import { Notice } from '@/components/ui/notice';
import type { Product } from '@/lib/contract/shapes/product';
import { PhaseTimeline } from './phase-timeline';
import { checkSaleForm, NEW_PRODUCT, type SaleFormValues, toNewSale } from './sale-form-values';
import { type PreviewedSale, SalePreview } from './sale-preview';

/** Shows what shoppers will see, and when. While the form is incomplete, says so instead. */
export function StepCheck({ values, products }: { values: SaleFormValues; products: Product[] }) {
  const t = useTranslations('AdminSales');
  if (Object.keys(checkSaleForm(values)).length > 0) return <Notice tone="warning">{t('incomplete')}</Notice>;
  const sale = toPreview(values, products);
  return (
    <>
      <PhaseTimeline sale={toNewSale(values, values.productId)} />
      <SalePreview sale={sale} />
    </>
  );
}

function toPreview(values: SaleFormValues, products: Product[]): PreviewedSale {
  const { listPriceMinor = null, reservation = null, ...sale } = toNewSale(values, values.productId);
  const known = products.find(({ productId }) => productId === values.productId);
  const { description, attributes } =
    values.productId === NEW_PRODUCT || !known ? { description: values.description, attributes: {} } : known;
  const imageUrl = known ? known.imageUrl : values.picture || null;
  return {
    ...sale,
    listPriceMinor,
    reservation,
    imageUrl,
    description,
    attributes,
    saleId: '',
    slug: '',
    campaign: null,
  };
}
