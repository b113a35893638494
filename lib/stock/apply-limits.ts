import type { Decision } from './decide-purchase';
import type { Purchase, PurchaseResult } from './purchase-stock';

/** What the purchase script answers before it counts. */
const UNCOUNTED: ReadonlySet<string> = new Set<PurchaseResult['status']>([
  'unknown_sale',
  'stale_epoch',
  'replayed',
  'ended',
  'not_started',
  'paused',
  'gate_invalid',
]);

/**
 * Counts a purchase that was decided outside the script by the sale's limits, where the script would count it too.
 * @param seen the answer it would get
 * @returns the answer it gets instead if it was one too many, else null
 */
export async function applyLimits(
  seen: Decision['status'] | PurchaseResult['status'],
  { limit }: Purchase,
): Promise<PurchaseResult | null> {
  if (!limit || UNCOUNTED.has(seen)) return null;
  const limited = await limit();
  return limited && { status: 'rate_limited', ...limited };
}
