import type { SaleState } from '@/lib/contract/shapes/sale';
import type { PanelSale } from './shown-sale';

/**
 * Returns how many items one press may ask for, at least 1: what the sale and its campaign allow one person, and no
 * more than are left as far as the page knows.
 */
export function mostAtOnce(
  { limitPerUser, campaign }: Pick<PanelSale, 'limitPerUser' | 'campaign'>,
  state: Pick<SaleState, 'stock'> | null,
): number {
  const { total, available } = state?.stock ?? { total: -1, available: 0 };
  const left = total < 0 ? Number.POSITIVE_INFINITY : available;
  return Math.max(1, Math.min(limitPerUser, campaign?.limitPerUser ?? limitPerUser, left));
}
