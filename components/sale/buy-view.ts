import { BOUGHT_TOO_OFTEN } from '@/components/api/api-problem';
import { type Attempt, hasFreshEntry, lockedUntil, type PreviousEnd } from '@/components/attempt/attempt';
import type { LineView } from '@/components/line/line-view';
import type { ReservationWindow, SaleState } from '@/lib/contract/shapes/sale';
import type { OrderStatus } from '@/lib/contract/words/order';
import type { SaleNumbers } from '@/lib/contract/words/sale';
import { type OwnReservation, type ReservationView, reservationView } from './reservation-view';
import type { VariantChoice } from './variant-choice';
import { type WaitlistInput, type WaitlistView, waitlistView } from './waitlist-view';

/** Every state of the buy button; it has one at a time. `buy-button.tsx` shows each. */
export type BuyView =
  | { kind: 'loading' }
  | {
      kind: 'scheduled';
      isSignedIn: boolean;
      isReady: boolean;
      isReservedOnly: boolean;
      isChallenged: boolean;
    }
  | ReservationView
  | WaitlistView
  | { kind: 'opening' }
  /** The waiting room is shown instead of the button. */
  | { kind: 'line' }
  | { kind: 'signIn' }
  | { kind: 'preparing' }
  | { kind: 'challenge' }
  | { kind: 'notEligible'; code: string }
  | { kind: 'buy'; previous: PreviousEnd | null; previousOrderNo: string | null; refusal: string | null }
  | { kind: 'sending' }
  | { kind: 'retrying'; retryAt: number }
  | { kind: 'entryRetrying'; retryAt: number }
  | { kind: 'locked'; until: number; refusal: string | null }
  | { kind: 'deciding'; orderNo: string }
  | { kind: 'waiting'; orderNo: string }
  | { kind: 'pay'; orderNo: string; payBy: number }
  | { kind: 'lapsing'; orderNo: string }
  | { kind: 'owned'; orderNo: string }
  | { kind: 'soldOut'; soldOutAt: number | null }
  | { kind: 'ended' }
  | { kind: 'paused' }
  | { kind: 'unreachable' };

export interface BuyInput {
  /** Server time, epoch ms; null before the page has hydrated. */
  now: number | null;
  startsAt: number;
  state: SaleState | null;
  /** How many state requests in a row failed. */
  failures: number;
  session: 'loading' | 'signed_out' | 'signed_in';
  /** When the sale takes reservations; null if it takes none. */
  reservation: ReservationWindow | null;
  own: OwnReservation;
  isReserving: boolean;
  /** Code of the last refusal to reserve or cancel. */
  reserveRefusal: string | null;
  /** The merchant's settings. */
  sale: SaleNumbers;
  /** The state of the waitlist; null in a sale without one. */
  waitlist: WaitlistInput['waitlist'];
  /** The choice among the sale's variants. */
  choice: Pick<VariantChoice, 'variant' | 'left'>;
  attempt: Attempt;
  /** Why the server refuses this shopper an entry token; null if it doesn't or wasn't asked. */
  entryRefusal: string | null;
  /** When the page asks for the entry token again, epoch ms; null while it isn't waiting. */
  entryRetryAt: number | null;
  /** The server wants a solved challenge before it gives a token. */
  isChallenged: boolean;
  /** When the page sends the waiting purchase again, epoch ms; null while none is waiting. */
  retryAt: number | null;
  /** The state of the waiting room; null in a sale without one. */
  line: LineView | null;
  /** This attempt's order as last seen; null if not seen yet. */
  order: { status: OrderStatus; payBy: number | null } | null;
}

/** One lost answer is no outage; two in a row are one. */
const UNREACHABLE_AFTER = 2;

/** Refusals of a purchase that another press can't change. */
const FINAL_REFUSALS = new Set([
  'LIMIT_REACHED',
  BOUGHT_TOO_OFTEN,
  'BLOCKED',
  'LEVEL_TOO_LOW',
  'NOT_RESERVED',
]);

function viewOfOrder(orderNo: string, { order, now, attempt }: BuyInput): BuyView | null {
  switch (order?.status) {
    case undefined:
      return { kind: attempt.isUndecided ? 'deciding' : 'waiting', orderNo };
    case 'undecided':
      return { kind: 'deciding', orderNo };
    case 'queued':
      return { kind: 'waiting', orderNo };
    case 'pending_payment':
      if (order.payBy === null) return { kind: 'waiting', orderNo };
      return now !== null && now >= order.payBy
        ? { kind: 'lapsing', orderNo }
        : { kind: 'pay', orderNo, payBy: order.payBy };
    case 'paid':
      return { kind: 'owned', orderNo };
    case 'cancelled':
    case 'failed':
    case 'refunded':
      return null;
  }
}

function viewOfLiveSale(input: BuyInput, now: number): BuyView {
  const { state, session, attempt, entryRefusal, entryRetryAt } = input;
  if (!state?.gate) return { kind: 'opening' };
  if (session === 'loading') return { kind: 'preparing' };
  if (session === 'signed_out') return { kind: 'signIn' };
  const { previous, previousOrderNo, refusal } = attempt;
  if (input.reservation && input.own === 'none') return { kind: 'notEligible', code: 'NOT_RESERVED' };
  if (entryRefusal) return { kind: 'notEligible', code: entryRefusal };
  if (refusal && FINAL_REFUSALS.has(refusal)) return { kind: 'notEligible', code: refusal };
  const until = lockedUntil(attempt, input.sale.clickLockSec);
  if (until > now) return { kind: 'locked', until, refusal };
  if (!hasFreshEntry(attempt, now)) {
    if (input.isChallenged) return { kind: 'challenge' };
    const isWaiting = entryRetryAt !== null && entryRetryAt > now;
    return isWaiting ? { kind: 'entryRetrying', retryAt: entryRetryAt } : { kind: 'preparing' };
  }
  return { kind: 'buy', previous, previousOrderNo, refusal };
}

/**
 * Decides the buy button's state. An attempt under way comes first, then the sale's state from the server: the page's
 * own clock may close a sale or announce a start, but only the server's "live" with a gate opens the button.
 */
export function buyView(input: BuyInput): BuyView {
  const { now, state, failures, attempt, retryAt } = input;
  const isSignedIn = input.session === 'signed_in';

  if (isSignedIn && attempt.orderNo) {
    const view = viewOfOrder(attempt.orderNo, input);
    if (view) return view;
  }
  const isOver = state?.status === 'ended' || (state && now !== null && now >= state.endsAt);
  // A purchase without an answer may have come in time.
  if (isOver && !(isSignedIn && attempt.isPending && attempt.entry)) return { kind: 'ended' };
  if (isSignedIn && attempt.isPending) {
    return retryAt !== null && now !== null && retryAt > now
      ? { kind: 'retrying', retryAt }
      : { kind: 'sending' };
  }
  if (now === null) return { kind: 'loading' };

  const isUnreachable = failures >= UNREACHABLE_AFTER;
  const waiting = state && waitlistView(input, state, now);
  if (state && input.line && waiting?.kind !== 'inLine' && showsLine(input, input.line, now))
    return { kind: 'line' };
  const startsAt = state?.startsAt ?? input.startsAt;
  if (!state && failures === 0) return { kind: 'loading' };
  if (!state || state.status === 'scheduled') {
    if (now < startsAt) {
      const isReady = isSignedIn && hasFreshEntry(attempt, now);
      const isReservedOnly = input.reservation !== null;
      const isChallenged = input.isChallenged && !isReady;
      const reserving = reservationView({ ...input, isReady }, now);
      // An open challenge comes before the news that the shopper has reserved.
      if (reserving && !(reserving.kind === 'reserved' && isChallenged)) return reserving;
      return { kind: 'scheduled', isSignedIn, isReady, isReservedOnly, isChallenged };
    }
    return failures > 0 ? { kind: 'unreachable' } : { kind: 'opening' };
  }
  if (isUnreachable) return { kind: 'unreachable' };
  if (waiting) return waiting;
  if (state.status === 'paused') return { kind: 'paused' };
  if (state.status === 'sold_out') return { kind: 'soldOut', soldOutAt: state.soldOutAt };
  return viewOfLiveSale(input, now);
}

/**
 * Tells whether to show the waiting room: to shoppers without an entry token, as long as there may be a unit. Who has to reserve
 * first, or can still take that back, sees this instead.
 */
function showsLine(
  { state, attempt, sale, entryRefusal, session, reservation, own }: BuyInput,
  line: LineView,
  now: number,
): boolean {
  if (hasFreshEntry(attempt, now) || (entryRefusal && line.kind === 'turn')) return false;
  if (reservation && (own !== 'standing' || line.kind === 'soon')) return false;
  if (session === 'signed_in' && lockedUntil(attempt, sale.clickLockSec) > now) return false;
  return state?.status !== 'sold_out' || (state.line?.reach ?? 0) > 0;
}

/** In these states of the button an open challenge stays on the page: not even the start removes it. */
const SOLVABLE: ReadonlySet<BuyView['kind']> = new Set<BuyView['kind']>([
  'line',
  'scheduled',
  'opening',
  'preparing',
  'challenge',
  'locked',
  'paused',
  'unreachable',
]);

/** Says whether the page shows the challenge the server wants: while it can still help, and until there is a token. */
export function showsChallenge({
  view,
  attempt,
  now,
}: { view: BuyView } & Pick<BuyInput, 'attempt' | 'now'>) {
  return SOLVABLE.has(view.kind) && now !== null && !hasFreshEntry(attempt, now);
}
