import type { StockView } from '@/lib/contract/shapes/sale';

/**
 * Returns the claimed part of a stock, 0 to 1; null if the stock is unlimited. Rounds honestly for whole percents: 1
 * only when nothing is left, more than 0 as soon as something is claimed.
 */
export function claimedShare({ total, available }: StockView): number | null {
  if (total < 0) return null;
  if (total === 0) return 1;
  const share = Math.min(1, Math.max(0, (total - available) / total));
  if (share === 0 || share === 1) return share;
  return Math.min(0.99, Math.max(0.01, Math.round(share * 100) / 100));
}
