import { USUAL_WAITS } from '@/lib/tries/types';

/**
 * For tests that count tries: makes the first wait after too many failures a minute, or so many ms. A second is over at once on a
 * machine that stands still, and then one more try is let through.
 */
export function lengthenWaits(baseMs = 60_000): void {
  USUAL_WAITS.baseMs = baseMs;
}
