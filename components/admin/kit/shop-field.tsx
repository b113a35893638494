import { useTranslations } from 'next-intl';
import type { ChangeEvent } from 'react';
import { ChoiceField } from './choice-field';
import { useShops } from './use-shops';

/**
 * Returns the shop to which something new belongs: the given one, or the first in which the user may make it; undefined
 * for staff who see all shops.
 */
export function useShopForNew(given: string): string | undefined {
  const [first] = useShops('settings');
  return given || first?.shopId;
}

interface ShopFieldProps {
  value: string;
  onChange: (event: ChangeEvent<HTMLSelectElement>) => void;
}

/** The field for the shop of something new; nothing if there is only one. */
export function ShopField({ value, onChange }: ShopFieldProps) {
  const t = useTranslations('AdminShop');
  const shops = useShops('settings');
  const chosen = useShopForNew(value);
  if (shops.length < 2) return null;
  const names = new Map(shops.map(({ shopId, name }) => [shopId, name]));
  return (
    <ChoiceField
      label={t('shop')}
      value={chosen}
      choices={[...names.keys()]}
      nameOf={(shopId) => names.get(shopId) ?? shopId}
      onChange={onChange}
    />
  );
}
