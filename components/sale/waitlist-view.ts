import { type Attempt, hasFreshEntry, type PreviousEnd } from '@/components/attempt/attempt';
import type { SaleState } from '@/lib/contract/shapes/sale';
import type { WaitlistPlace } from '@/lib/contract/shapes/waitlist';
import type { VariantChoice } from './variant-choice';

/** The states of the buy button while all units are taken and the sale has a waitlist. */
export type WaitlistView =
  | { kind: 'waitlistSignIn' }
  | { kind: 'waitlistJoin'; refusal: string | null; previous: PreviousEnd | null }
  | { kind: 'waitlistJoining' }
  | { kind: 'waitlistClosed' }
  | { kind: 'inLine'; ahead: number };

export interface WaitlistInput {
  session: 'loading' | 'signed_out' | 'signed_in';
  attempt: Attempt;
  choice: Pick<VariantChoice, 'variant' | 'left'>;
  /** The server wants a solved challenge before it gives a token, without which nobody joins. */
  isChallenged: boolean;
  waitlist: {
    place: WaitlistPlace | null;
    isJoining: boolean;
    /** Code of the last refusal to join or leave. */
    refusal: string | null;
  } | null;
}

/**
 * Shows a waiting shopper's place, whatever the units do meanwhile, and offers one once all units are taken, or those of the
 * chosen variant. Null: neither. Another variant can be bought meanwhile.
 */
export function waitlistView(
  { session, attempt, waitlist, choice, isChallenged }: WaitlistInput,
  state: SaleState,
  now: number,
): WaitlistView | { kind: 'challenge' } | null {
  if (!waitlist) return null;
  const { place, isJoining, refusal } = waitlist;
  const isOut = state.gate !== null && (choice.left ?? state.stock.available) === 0;
  if (session === 'signed_in' && place?.state === 'waiting')
    if (isOut || choice.variant === 0 || choice.variant === place.variant)
      return { kind: 'inLine', ahead: place.ahead ?? 0 };
  if (!isOut) return null;
  if (session === 'signed_out') return { kind: 'waitlistSignIn' };
  if (place && !place.isOpen) return { kind: 'waitlistClosed' };
  if (isJoining) return { kind: 'waitlistJoining' };
  if (session === 'loading') return null;
  if (!hasFreshEntry(attempt, now)) return isChallenged ? { kind: 'challenge' } : null;
  return { kind: 'waitlistJoin', refusal, previous: attempt.previous };
}
