/** How long a value must be good again before its alert ends. */
const CLEAR_AFTER_MS = 60_000;
/**
 * A value is good again at or below this share of the threshold: one that sways around the threshold makes one alert,
 * not twenty.
 */
const CLEAR_SHARE = 0.9;

/** An open alert. Times in ms. */
export type Standing = { state: 'pending' | 'firing'; since: number; clearSince: number | null };

type Verdict =
  /** There is no alert, or a pending one is dropped. */
  | { next: 'none' }
  | { next: 'pending' }
  | { next: 'firing'; isNew: boolean; clearSince: number | null }
  | { next: 'resolved' };

/**
 * Decides an alert's next state from its rule's present value. Pending at the first breach; firing once the breach
 * has lasted `forSec`; resolved once the value has been at or below nine tenths of the threshold for a minute. Pure.
 */
export function nextState(
  standing: Standing | null,
  value: number,
  rule: { threshold: number; forSec: number; enabled: boolean },
  now: number,
): Verdict {
  const isBreached = rule.enabled && value > rule.threshold;
  if (standing?.state === 'firing') {
    if (!rule.enabled) return { next: 'resolved' };
    const isGood = !isBreached && value <= rule.threshold * CLEAR_SHARE;
    const clearSince = isGood ? (standing.clearSince ?? now) : null;
    if (clearSince !== null && now - clearSince >= CLEAR_AFTER_MS) return { next: 'resolved' };
    return { next: 'firing', isNew: false, clearSince };
  }
  if (!isBreached) return { next: 'none' };
  const since = standing?.since ?? now;
  if (now - since < rule.forSec * 1_000) return { next: 'pending' };
  return { next: 'firing', isNew: true, clearSince: null };
}
