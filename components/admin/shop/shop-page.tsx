'use client';

import { useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { Button } from '@/components/ui/button';
import { adminPage, PageFrame } from '../kit/admin-page';
import { Paged } from '../kit/paged';
import { readTexts, useUrlFilter } from '../kit/use-url-filter';
import { OneShop } from './one-shop';

/** Shows the shops that the reader may see, and opens one of them; the only one at once. */
function Shop() {
  const t = useTranslations('AdminShop');
  const [{ shop }, setFilter] = useUrlFilter(readTexts({ shop: '' }));
  const { query, items } = useList('GET /api/admin/shops');
  const [first, ...others] = items;
  const shown = shop || (others.length === 0 ? first?.shopId : undefined);
  return (
    <PageFrame words="AdminShop">
      {shown === undefined ? null : <OneShop key={shown} shopId={shown} />}
      {items.length === 1 ? null : (
        <section aria-label={t('shops')} className="grid gap-3">
          <h2 className="font-semibold text-lg">{t('shops')}</h2>
          <Paged query={query} isEmpty={items.length === 0} empty={t('none')}>
            <ul className="flex flex-wrap gap-2">
              {items.map(({ shopId, name }) => (
                <li key={shopId}>
                  <Button aria-pressed={shopId === shown} onClick={() => setFilter({ shop: shopId })}>
                    {name}
                  </Button>
                </li>
              ))}
            </ul>
          </Paged>
        </section>
      )}
    </PageFrame>
  );
}

export const ShopPage = adminPage(Shop);
