/** How long a value has to be good again until its alert ends. */
const CLEAR_AFTER_MS = 60_000;
/** Good again is below so much of the threshold: a value that sways around it makes one alert, not twenty. */
const CLEAR_SHARE = 0.9;

/** An alert that stands. Times in ms. */
export type Standing = { state: 'pending' | 'firing'; since: number; clearSince: number | null };

export type Verdict =
  /** Nothing stands and nothing begins; or what was pending was nothing. */
  | { next: 'none' }
  | { next: 'pending' }
  | { next: 'firing'; isNew: boolean; clearSince: number | null }
  | { next: 'resolved' };

/**
 * What becomes of an alert, by its rule's value now: pending at its first breach, firing after `forSec` of it, resolved
 * once its value was below nine tenths of the threshold for a minute. Pure.
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
