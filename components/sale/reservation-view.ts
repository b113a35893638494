import type { ReservationWindow } from '@/lib/contract/shapes/sale';

/** The shopper's own reservation; unknown until the server has answered, and for visitors who are not signed in. */
export type OwnReservation = 'unknown' | 'none' | 'standing';

/** The states of the buy button before the start of a sale that takes reservations. */
export type ReservationView =
  | { kind: 'reserveSoon'; opensAt: number }
  | { kind: 'reserveSignIn'; closesAt: number }
  | { kind: 'reserve'; closesAt: number; refusal: string | null }
  | { kind: 'reserving' }
  | { kind: 'reserved'; mayCancel: boolean }
  | { kind: 'notReserved'; closesAt: number };

interface ReservationInput {
  reservation: ReservationWindow | null;
  own: OwnReservation;
  session: 'loading' | 'signed_out' | 'signed_in';
  isReserving: boolean;
  /** Code of the last refusal to reserve or cancel. */
  reserveRefusal: string | null;
  /** True if the shopper has an entry token. */
  isReady: boolean;
}

/**
 * Decides the button's state before the start. Needs no sale state: the window is part of the page, so shoppers can
 * reserve while the stock can't be reached.
 * @param now server time, epoch ms
 * @returns null where the reservation does not matter and the button shows the countdown to the start
 */
export function reservationView(
  input: ReservationInput,
  now: number,
): ReservationView | { kind: 'loading' } | null {
  const { reservation, own, session, isReserving, reserveRefusal, isReady } = input;
  if (!reservation) return null;
  const { opensAt, closesAt } = reservation;
  const isOpen = now >= opensAt && now < closesAt;
  if (own === 'standing') return isReady && !isOpen ? null : { kind: 'reserved', mayCancel: isOpen };
  if (now < opensAt) return { kind: 'reserveSoon', opensAt };
  if (!isOpen) return own === 'none' ? { kind: 'notReserved', closesAt } : null;
  if (session === 'signed_out') return { kind: 'reserveSignIn', closesAt };
  if (isReserving) return { kind: 'reserving' };
  return own === 'none' ? { kind: 'reserve', closesAt, refusal: reserveRefusal } : { kind: 'loading' };
}
