'use client';

import { useTranslations } from 'next-intl';
import type { ComponentType } from 'react';
import { useList } from '@/components/api/use-list';
import { useSession } from '@/components/session/use-session';
import { Button } from '@/components/ui/button';
import { Paged } from './paged';
import { useShops } from './use-shops';
import { readTexts, useUrlFilter } from './use-url-filter';

interface ChosenShopProps {
  /** Shows one shop. */
  One: ComponentType<{ shopId: string }>;
}

/** Shows a merchant the shop they have chosen, and others all shops, of which they open one. */
export function ChosenShop({ One }: ChosenShopProps) {
  const session = useSession();
  const isMerchant = session.status === 'signed_in' && session.user.role === 'merchant';
  return isMerchant ? <OwnShop One={One} /> : <EveryShop One={One} />;
}

function OwnShop({ One }: ChosenShopProps) {
  const t = useTranslations('AdminShop');
  const common = useTranslations('Common');
  const data = useShops();
  if (!data) return <p className="text-muted">{common('loading')}</p>;
  if (data.chosen === null) return <p className="text-muted">{t('none')}</p>;
  return <One key={data.chosen} shopId={data.chosen} />;
}

function EveryShop({ One }: ChosenShopProps) {
  const t = useTranslations('AdminShop');
  const [{ shop }, setFilter] = useUrlFilter(readTexts({ shop: '' }));
  const { query, items } = useList('GET /api/admin/shops');
  return (
    <>
      {shop === '' ? null : <One key={shop} shopId={shop} />}
      <section aria-label={t('shops')} className="grid gap-3">
        <h2 className="font-semibold text-lg">{t('shops')}</h2>
        <Paged query={query} isEmpty={items.length === 0} empty={t('noShops')}>
          <ul className="flex flex-wrap gap-2">
            {items.map(({ shopId, name }) => (
              <li key={shopId}>
                <Button aria-pressed={shopId === shop} onClick={() => setFilter({ shop: shopId })}>
                  {name}
                </Button>
              </li>
            ))}
          </ul>
        </Paged>
      </section>
    </>
  );
}
