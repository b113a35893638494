import { useLocale } from 'next-intl';
import type { OrderView } from '@/lib/contract/shapes/order';

/** The sale of an order. An answer of the last release, and one for staff, has no `saleTitles`. */
type Item = Pick<OrderView, 'saleTitle'> & Partial<Pick<OrderView, 'saleTitles'>>;

/** Returns the title of an order's sale in the language of the page. */
export function useSaleTitle({ saleTitle, saleTitles }: Item): string {
  const locale = useLocale();
  return saleTitles?.[locale] ?? saleTitle;
}

/** Shows what an order is for: the title of its sale, and the variant where the sale has some. */
export function ItemName({ variantName, ...item }: Item & Pick<OrderView, 'variantName'>) {
  const title = useSaleTitle(item);
  return (
    <>
      <bdi>{title}</bdi>
      {variantName === null ? null : (
        <>
          {' '}
          (<bdi>{variantName}</bdi>)
        </>
      )}
    </>
  );
}
