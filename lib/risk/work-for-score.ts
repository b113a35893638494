import type { RiskRule } from '@/lib/contract/shapes/risk';

/**
 * Returns how hard a calculation the enabled rules ask of this score: the bits of the hardest; null: none asks for one.
 * @param score 0 to 100
 */
export function workForScore(rules: readonly RiskRule[], score: number): number | null {
  let most: number | null = null;
  for (const { state, definition } of rules) {
    const { metric, action, comparison, threshold } = definition;
    if (state !== 'enabled' || metric !== 'score' || action.kind !== 'work') continue;
    if (comparison === 'above' ? score <= threshold : score < threshold) continue;
    most = Math.max(most ?? 0, action.bits);
  }
  return most;
}
