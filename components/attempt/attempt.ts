import type { EntryGrant } from '@/lib/contract/shapes/entry';

/** The page replaces a token this many ms before it expires. */
export const RENEW_BEFORE_MS = 15_000;

export type PreviousEnd = 'cancelled' | 'failed' | 'refunded' | 'paid';
const PREVIOUS_ENDS: readonly unknown[] = ['cancelled', 'failed', 'refunded', 'paid'] satisfies PreviousEnd[];

/**
 * One shopper's attempt at one sale. It lives in localStorage: after a reload or in a second tab the page continues
 * with the same token, so with the same purchase (the token is the purchase's idempotency key). Times are the
 * server's, epoch ms.
 */
export interface Attempt {
  entry: EntryGrant | null;
  clickedAt: number | null;
  /** Units to buy. A purchase under way keeps them: its token buys no other number. */
  quantity: number;
  /** The chosen variant, from 1; 0: none yet, or the sale has none. A purchase under way keeps it, too. */
  variant: number;
  /** The purchase was sent, or is about to be, and has no answer yet. */
  isPending: boolean;
  /** A purchase of this attempt was sent and may have been accepted, although no answer said so. */
  isUnsure: boolean;
  orderNo: string | null;
  /** The purchase with this number waits in the sale's queue, as far as this browser knows: nothing is promised. */
  isUndecided: boolean;
  /** Code of the last refusal. */
  refusal: string | null;
  /** How the order before this attempt ended. */
  previous: PreviousEnd | null;
  previousOrderNo: string | null;
}

/** The shopper's choice. */
export type Wish = Pick<Attempt, 'quantity' | 'variant'>;

export const NO_ATTEMPT: Attempt = {
  entry: null,
  clickedAt: null,
  quantity: 1,
  variant: 0,
  isPending: false,
  isUnsure: false,
  orderNo: null,
  isUndecided: false,
  refusal: null,
  previous: null,
  previousOrderNo: null,
};

/** Says whether the token may start a purchase now. A purchase under way keeps its token whatever its age. */
export function hasFreshEntry(attempt: Attempt, now: number): boolean {
  return attempt.entry !== null && attempt.entry.expiresAt - now > RENEW_BEFORE_MS;
}

/** Returns when the lock of the last click ends, epoch ms; 0 if there was no click. */
export function lockedUntil({ clickedAt }: Attempt, clickLockSec: number): number {
  return clickedAt === null ? 0 : clickedAt + clickLockSec * 1000;
}

/** Parses the stored value; anything that isn't an attempt counts as no attempt. */
export function parseAttempt(stored: string | null): Attempt {
  if (!stored) return NO_ATTEMPT;
  try {
    const value = JSON.parse(stored) as Partial<Attempt> | null;
    if (typeof value !== 'object' || value === null) return NO_ATTEMPT;
    const { entry } = value;
    const hasEntry = typeof entry?.entryToken === 'string' && typeof entry.expiresAt === 'number';
    return {
      entry: hasEntry ? entry : null,
      clickedAt: typeof value.clickedAt === 'number' ? value.clickedAt : null,
      quantity: Number.isInteger(value.quantity) ? Math.max(1, Number(value.quantity)) : 1,
      variant: Number.isInteger(value.variant) ? Math.max(0, Number(value.variant)) : 0,
      isPending: hasEntry && value.isPending === true,
      isUnsure: value.isUnsure === true,
      isUndecided: value.isUndecided === true,
      orderNo: typeof value.orderNo === 'string' ? value.orderNo : null,
      refusal: typeof value.refusal === 'string' ? value.refusal : null,
      previous: PREVIOUS_ENDS.includes(value.previous) ? (value.previous ?? null) : null,
      previousOrderNo: typeof value.previousOrderNo === 'string' ? value.previousOrderNo : null,
    };
  } catch {
    return NO_ATTEMPT;
  }
}
