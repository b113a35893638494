import type { Decision } from './decide-purchase';
import type { Purchase, PurchaseResult } from './purchase-stock';

/** Answers that the purchase script gives before it counts the attempt. */
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
 * Counts a purchase against the sale's limits if it was decided outside the script, and only where the script would
 * count it too.
 * @param seen the answer the purchase would get without limits
 * @returns the refusal if the purchase was one too many, else null
 */
export async function applyLimits(
  seen: Decision['status'] | PurchaseResult['status'],
  { limit }: Purchase,
): Promise<PurchaseResult | null> {
  if (!limit || UNCOUNTED.has(seen)) return null;
  const limited = await limit();
  return limited && { status: 'rate_limited', ...limited };
}
