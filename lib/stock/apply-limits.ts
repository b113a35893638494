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
 * Has a purchase counted that was looked at outside the script, if the script would count it too.
 * @param seen what it would be answered
 * @returns what it is answered instead if that was one too many, else null
 */
export async function applyLimits(
  seen: Decision['status'] | PurchaseResult['status'],
  { limit }: Purchase,
): Promise<PurchaseResult | null> {
  if (!limit || UNCOUNTED.has(seen)) return null;
  const limited = await limit();
  return limited && { status: 'rate_limited', ...limited };
}
