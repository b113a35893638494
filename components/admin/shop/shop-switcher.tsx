'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Problem } from '@/components/ui/problem';
import { ChoiceField } from '../kit/choice-field';
import { useAction } from '../kit/use-action';
import { useShops } from '../kit/use-shops';

/** Lets who is in several shops choose the one whose lists the pages show, and in which new things are made. */
export function ShopSwitcher() {
  const t = useTranslations('AdminShop');
  const client = useQueryClient();
  const data = useShops();
  const choose = useAction('POST /api/admin/shops/{shopId}/choose', {
    // Every list is another one now.
    onDone: () => void client.invalidateQueries(),
  });
  const { shops = [], chosen = null } = data ?? {};
  if (shops.length < 2 || chosen === null) return null;
  return (
    <div className="mx-auto max-w-6xl px-4 pt-3 sm:px-6">
      <div className="max-w-xs">
        <ChoiceField
          label={t('shop')}
          value={choose.isPending ? choose.variables.params.shopId : chosen}
          choices={shops.map(({ shopId }) => shopId)}
          nameOf={(id) => shops.find(({ shopId }) => shopId === id)?.name ?? ''}
          onChoose={(shopId) => choose.mutate({ params: { shopId } })}
        />
      </div>
      <Problem error={choose.error} />
    </div>
  );
}
