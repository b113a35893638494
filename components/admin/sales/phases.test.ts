import { describe, expect, it } from 'vitest';
import { changesClocks, phasesOf } from './phases';

const MINUTE_MS = 60_000;
const startsAt = Date.UTC(2027, 9, 31, 0, 30);
const sale = {
  startsAt,
  endsAt: startsAt + 60 * MINUTE_MS,
  entryOpensAt: startsAt - MINUTE_MS,
  paymentWindowSec: 900,
};

describe('the phases of a sale', () => {
  it('[L3] come in the order of time, reservations where there are some', () => {
    expect(phasesOf(sale).map(({ phase }) => phase)).toEqual(['entryOpens', 'starts', 'ends', 'lastPayment']);
    const reservation = { opensAt: startsAt - 3 * MINUTE_MS, closesAt: startsAt - 2 * MINUTE_MS };
    expect(phasesOf({ ...sale, reservation }).map(({ phase }) => phase)).toEqual([
      'reservationOpens',
      'reservationCloses',
      'entryOpens',
      'starts',
      'ends',
      'lastPayment',
    ]);
    expect(phasesOf(sale).at(-1)?.at).toBe(sale.endsAt + 900_000);
  });

  it('[L3] tell when clocks change between them', () => {
    // In Berlin the clocks are put back at 1:00 UTC.
    const berlin = (at: number) => (at < Date.UTC(2027, 9, 31, 1) ? -120 : -60);
    const moments = phasesOf(sale).map(({ at }) => at);
    expect(changesClocks(moments, berlin)).toBe(true);
    expect(
      changesClocks(
        moments.map((at) => at + 3_600_000),
        berlin,
      ),
    ).toBe(false);
    expect(changesClocks([], berlin)).toBe(false);
  });
});
