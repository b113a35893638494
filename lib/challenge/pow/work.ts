import { WORK_BITS } from '@/lib/contract/words/risk';

/** Iterations of one try. Few enough that making a task, which takes one try, costs the server 0.2 ms. */
export const COST = 1_000;

/** Of a sale that asks everybody for a calculation: a million iterations, 0.2 to 0.4 s in Chromium here. */
export const USUAL_BITS = 10;
/** For somebody whom a risk rule challenges. */
export const CHALLENGED_BITS = 13;

/**
 * Returns how many tries a calculation takes on average: each bit doubles them.
 * @param bits 6 to 15; anything else counts as the nearer end
 */
export const triesOf = (bits: number): number =>
  2 **
  (Number.isNaN(bits)
    ? WORK_BITS.most
    : Math.min(WORK_BITS.most, Math.max(WORK_BITS.least, Math.round(bits))));
