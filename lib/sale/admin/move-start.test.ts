import { describe, expect, it } from 'vitest';
import { followStart, refuseWindow } from './move-start';

const NOW = 1_795_000_000_000;
const HOUR_MS = 3_600_000;
const sale = {
  startsAt: NOW + 2 * HOUR_MS,
  entryOpensAt: NOW + HOUR_MS,
  reservation: { opensAt: NOW + HOUR_MS / 2, closesAt: NOW + HOUR_MS },
};

describe('[L3] what hangs on a start that moves', () => {
  it('keeps its distance from the start while it is to come', () => {
    expect(followStart(sale, sale.startsAt + HOUR_MS, NOW)).toEqual({
      startsAt: sale.startsAt + HOUR_MS,
      entryOpensAt: sale.entryOpensAt + HOUR_MS,
      reservation: { opensAt: NOW + 1.5 * HOUR_MS, closesAt: NOW + 2 * HOUR_MS },
    });
  });

  it('stays as it is once it has happened', () => {
    const begun = { ...sale, entryOpensAt: NOW, reservation: { opensAt: NOW - 2, closesAt: NOW - 1 } };
    const startsAt = sale.startsAt + HOUR_MS;
    expect(followStart(begun, startsAt, NOW)).toEqual({ ...begun, startsAt });
    const reserving = { ...sale, reservation: { opensAt: NOW - 1, closesAt: NOW + HOUR_MS } };
    expect(followStart(reserving, startsAt, NOW).reservation).toEqual({
      opensAt: NOW - 1,
      closesAt: NOW + 2 * HOUR_MS,
    });
  });

  it('closes reservations at once, but not before they opened, where an earlier start leaves them no time', () => {
    for (const opensAt of [NOW - 1, NOW, NOW + HOUR_MS / 2]) {
      const { reservation } = followStart(
        { ...sale, reservation: { opensAt, closesAt: NOW + HOUR_MS } },
        NOW + 1_000,
        NOW,
      );
      expect(reservation?.closesAt).toBe(NOW + 1);
      expect(reservation?.opensAt).toBeLessThanOrEqual(NOW);
    }
    expect(followStart({ ...sale, reservation: null }, NOW + 1_000, NOW).reservation).toBeNull();
  });
});

it('[L3] a window that can’t be names the field that is wrong', () => {
  const window = { startsAt: NOW + 1, endsAt: NOW + HOUR_MS };
  const wrong = (given: object) => refuseWindow(given, { ...window, ...given }, NOW)?.issues[0]?.path[0];
  expect(wrong({ startsAt: NOW + 2 })).toBeUndefined();
  expect(wrong({ startsAt: NOW })).toBe('startsAt');
  expect(wrong({ startsAt: NOW + HOUR_MS })).toBe('startsAt');
  expect(wrong({ endsAt: NOW + 1 })).toBe('endsAt');
  expect(wrong({ startsAt: NOW + HOUR_MS, endsAt: NOW + HOUR_MS })).toBe('endsAt');
});
