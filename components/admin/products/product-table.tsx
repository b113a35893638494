'use client';

import { useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { Picture } from '@/components/sale/picture';
import { Button } from '@/components/ui/button';
import type { Product } from '@/lib/contract/shapes/product';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';

/** A picture has its baseline at the bottom: by that, text beside it would stand too low. */
const MIDDLE = 'align-middle!';

/** Lists the merchant's products, page by page. @param onEdit null: the user may change none */
export function ProductTable({ onEdit }: { onEdit: ((product: Product) => void) | null }) {
  const t = useTranslations('AdminProducts');
  const { query, items: products } = useList('GET /api/admin/products');
  return (
    <Paged query={query} isEmpty={products.length === 0} empty={t('empty')}>
      <DataTable
        isStacked
        caption={t('heading')}
        columns={[
          { label: t('name') },
          { label: t('slug') },
          ...(onEdit ? [{ label: t('edit'), isHidden: true }] : []),
        ]}
      >
        {products.map((product) => (
          <tr key={product.productId}>
            <th scope="row" className={MIDDLE}>
              <span className="flex items-center gap-3 font-medium [overflow-wrap:anywhere]">
                <span className="w-16 shrink-0">
                  <Picture src={product.imageUrl} className="rounded-lg" />
                </span>
                {product.name}
              </span>
            </th>
            <td className={`${MIDDLE} text-muted [overflow-wrap:anywhere]`}>{product.slug}</td>
            {onEdit ? (
              <td className={`${MIDDLE} lg:text-right`}>
                <Button aria-label={t('editOne', { name: product.name })} onClick={() => onEdit(product)}>
                  {t('edit')}
                </Button>
              </td>
            ) : null}
          </tr>
        ))}
      </DataTable>
    </Paged>
  );
}
