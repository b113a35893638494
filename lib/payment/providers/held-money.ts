import type { Money } from '@/lib/payment/records/types';

/** Money that a provider took, as its books say now. */
export type Held = Money & { status: 'succeeded' | 'refunded'; returnedMinor?: number; isDisputed?: boolean };

/**
 * Returns what a provider holds of money that it took. A part that was sent back, from here or by staff there, is not
 * held any more.
 */
export function heldMoney(taken: Money, returnedMinor: number, isDisputed: boolean): Held {
  const { amountMinor, currency } = taken;
  const disputed = isDisputed ? { isDisputed } : {};
  if (returnedMinor > 0 && returnedMinor >= amountMinor) return { status: 'refunded', ...taken, ...disputed };
  const returned = returnedMinor > 0 ? { returnedMinor } : {};
  return {
    status: 'succeeded',
    amountMinor: amountMinor - returnedMinor,
    currency,
    ...returned,
    ...disputed,
  };
}
