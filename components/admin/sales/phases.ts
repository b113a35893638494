import type { EditableSale } from '@/lib/contract/shapes/sale';

type Phase = 'reservationOpens' | 'reservationCloses' | 'entryOpens' | 'starts' | 'ends' | 'lastPayment';

export type Times = Pick<EditableSale, 'startsAt' | 'endsAt' | 'entryOpensAt' | 'paymentWindowSec'> &
  Partial<Pick<EditableSale, 'reservation'>>;

/** Returns a sale's phases in the order of time, each with the moment it begins, in ms. */
export function phasesOf(sale: Times): { phase: Phase; at: number }[] {
  const { startsAt, endsAt, entryOpensAt, paymentWindowSec, reservation } = sale;
  const phases: { phase: Phase; at: number }[] = [
    ...(reservation
      ? [
          { phase: 'reservationOpens' as const, at: reservation.opensAt },
          { phase: 'reservationCloses' as const, at: reservation.closesAt },
        ]
      : []),
    { phase: 'entryOpens', at: entryOpensAt },
    { phase: 'starts', at: startsAt },
    { phase: 'ends', at: endsAt },
    { phase: 'lastPayment', at: endsAt + paymentWindowSec * 1_000 },
  ];
  // Phases that begin at the same moment stay in the order in which they stand above.
  return phases.sort((a, b) => a.at - b.at);
}

/**
 * Tells whether the clocks at the reader's place are put forward or back between the first and the last of these
 * moments.
 */
export const changesClocks = (
  moments: readonly number[],
  offsetAt: (at: number) => number = (at) => new Date(at).getTimezoneOffset(),
): boolean => new Set(moments.map(offsetAt)).size > 1;
