import type { DrawWeights } from '@/lib/contract/words/sale';

const MOST_BY_LEVEL = 10;
const OF_BUYERS = 3;

/**
 * Returns how many tickets somebody holds in a draw: by level one, and one more for each level, at most ten; by earlier
 * purchases three for people with a paid order at the same merchant; else one.
 * @param rule of the sale. @param level 0 or more
 */
export function weightOf(
  rule: DrawWeights,
  { level, hasBought }: { level: number; hasBought: boolean },
): number {
  if (rule === 'level') return Math.min(1 + level, MOST_BY_LEVEL);
  return rule === 'bought_before' && hasBought ? OF_BUYERS : 1;
}
