import { useTranslations } from 'next-intl';
import type { ChangeEvent } from 'react';
import type { ShopSummary } from '@/lib/contract/shapes/team';
import { ChoiceField } from './choice-field';

interface ShopFieldProps {
  /** Those in which the user may make something. */
  shops: readonly ShopSummary[];
  name?: string;
  value: string;
  onChange: (event: ChangeEvent<HTMLSelectElement>) => void;
}

/** Returns the shop to which something new belongs: the chosen one, or the first; undefined if there is none. */
export const shopForNew = (shops: readonly ShopSummary[], chosen: string): string | undefined =>
  chosen || shops[0]?.shopId;

/** The field for the shop of something new; nothing if there is no choice. */
export function ShopField({ shops, value, ...rest }: ShopFieldProps) {
  const t = useTranslations('AdminShop');
  if (shops.length < 2) return null;
  const names = new Map(shops.map(({ shopId, name }) => [shopId, name]));
  return (
    <ChoiceField
      label={t('shop')}
      {...rest}
      value={shopForNew(shops, value)}
      choices={[...names.keys()]}
      nameOf={(shopId) => names.get(shopId) ?? shopId}
    />
  );
}
