import type { EditableSale } from '@/lib/contract/shapes/sale';

type Phase = 'reservationOpens' | 'reservationCloses' | 'entryOpens' | 'starts' | 'ends' | 'lastPayment';

export type Times = Pick<EditableSale, 'startsAt' | 'endsAt' | 'entryOpensAt' | 'paymentWindowSec'> &
  Partial<Pick<EditableSale, 'reservation'>>;

/** A sale's phases in the order of time, each with when it begins, in ms. */
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
  // What falls on the same moment stays in the order it is told in.
  return phases.sort((a, b) => a.at - b.at);
}

/** Whether clocks are put forward or back between the first and the last of these moments, where the reader is. */
export const changesClocks = (
  moments: readonly number[],
  offsetAt: (at: number) => number = (at) => new Date(at).getTimezoneOffset(),
): boolean => new Set(moments.map(offsetAt)).size > 1;
