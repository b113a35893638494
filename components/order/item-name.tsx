import type { OrderView } from '@/lib/contract/shapes/order';

/** Shows what an order is for: the title of its sale, and the variant where the sale has some. */
export const ItemName = ({ saleTitle, variantName }: Pick<OrderView, 'saleTitle' | 'variantName'>) => (
  <>
    <bdi>{saleTitle}</bdi>
    {variantName === null ? null : (
      <>
        {' '}
        (<bdi>{variantName}</bdi>)
      </>
    )}
  </>
);
