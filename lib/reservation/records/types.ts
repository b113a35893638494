/** When reservations are taken, epoch ms: from `opensAt` on, until just before `closesAt`. */
export type ReservationWindow = { opensAt: number; closesAt: number };

/**
 * The last change of a user's reservation in a sale. Times in epoch ms. `cancelledAt` is null while the reservation
 * is valid, else later than `reservedAt`. Of two changes the one with the later time counts, wherever and in whatever
 * order they arrive.
 */
export type ReservationChange = { userId: string; reservedAt: number; cancelledAt: number | null };

export type ReserveResult =
  | { status: 'reserved' | 'already_reserved'; reservedAt: number }
  | { status: 'not_open' | 'closed' };

export type CancelResult =
  | { status: 'cancelled' | 'already_cancelled'; cancelledAt: number }
  | { status: 'not_reserved' }
  | { status: 'closed' };
