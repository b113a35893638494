import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '@/test/support/random';
import { type LineSituation, nextAdmission, roomFor } from './next-admission';
import { type AdmissionStep, TURN_MS } from './types';

const STEP_MS = 250;
const calm: LineSituation = {
  now: 1_000_000,
  tendedAt: 1_000_000 - STEP_MS,
  admitted: 0,
  lapsed: 0,
  steps: [],
  waiting: 1_000,
  outstanding: 0,
  available: 100,
  limitPerUser: 1,
  busy: null,
  machineRate: 50,
  credit: 0,
  perMinute: null,
  held: false,
  opened: false,
  isStopped: false,
};

/**
 * Runs a whole waiting room in simulated time: each admitted person buys, entered late, or does nothing.
 * @param patience of each person in turn, 0 … 1: below `buys` the person buys
 */
function run({ people, units, limitPerUser, perMinute, buys, seed }: Room) {
  let random = seed;
  const draw = () => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    return random / 2_147_483_648;
  };
  let seen: LineSituation = {
    ...calm,
    waiting: people,
    available: units,
    limitPerUser,
    perMinute,
    tendedAt: null,
  };
  /** People who stand before the units: when they act, or give up. */
  let standing: { until: number; takes: number }[] = [];
  let sold = 0;
  let rounds = 0;
  let mostStanding = 0;
  for (; rounds < 400_000 && (seen.waiting > 0 || standing.length > 0) && seen.available > 0; rounds += 1) {
    const now = seen.now + STEP_MS;
    for (const { takes } of standing.filter(({ until }) => until <= now)) {
      // An admitted person must never find too few units.
      if (takes > seen.available) return { isShort: true, sold, rounds, mostStanding, left: seen.available };
      sold += takes;
      seen = { ...seen, available: seen.available - takes };
    }
    standing = standing.filter(({ until }) => until > now);
    const next = nextAdmission({
      ...seen,
      now,
      tendedAt: rounds === 0 ? null : seen.now,
      outstanding: standing.length,
    });
    for (let at = 0; at < next.admit; at += 1) {
      const isBuyer = draw() < buys;
      const takes = isBuyer ? 1 + Math.floor(draw() * Math.min(limitPerUser, seen.available)) : 0;
      standing.push({ until: now + (isBuyer ? draw() * (TURN_MS - STEP_MS) : TURN_MS), takes });
    }
    mostStanding = Math.max(mostStanding, standing.length);
    const admitted = seen.admitted + next.admit;
    const steps: AdmissionStep[] = next.admit > 0 ? [...next.steps, [now, admitted]] : next.steps;
    seen = { ...seen, ...next, now, admitted, steps, waiting: seen.waiting - next.admit };
  }
  return { isShort: false, sold, rounds, mostStanding, left: seen.available, waiting: seen.waiting };
}
type Room = {
  people: number;
  units: number;
  limitPerUser: number;
  perMinute: number | null;
  buys: number;
  seed: number;
};

describe('nextAdmission', () => {
  it('[M1] never admits somebody for whom there is no unit, and always ends', () => {
    const room = fc.record({
      people: fc.integer({ min: 0, max: 300 }),
      units: fc.integer({ min: 1, max: 60 }),
      limitPerUser: fc.integer({ min: 1, max: 5 }),
      perMinute: fc.option(fc.integer({ min: 30, max: 6_000 })),
      buys: fc.double({ min: 0, max: 1, noNaN: true }),
      seed: fc.integer({ min: 1, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(room, (given) => {
        const { isShort, left, waiting, mostStanding } = run(given);
        expect(isShort).toBe(false);
        expect(mostStanding).toBeLessThanOrEqual(given.units);
        expect(left === 0 || waiting === 0).toBe(true);
      }),
      { numRuns: cases(10) },
    );
  });

  it('[M1] with units of several for one person leaves room for all that each may take, and ends with one at a time', () => {
    expect([roomFor(10, 3), roomFor(3, 3), roomFor(2, 3), roomFor(0, 3)]).toEqual([3, 1, 1, 0]);
    expect(roomFor(-1, 3)).toBe(Number.POSITIVE_INFINITY);
  });

  it('[M1] admits no faster than the merchant says', () => {
    let [seen, admitted] = [{ ...calm, perMinute: 60, available: 1_000, machineRate: 1_000 }, 0];
    for (let second = 0; second < 240; second += 1) {
      const next = nextAdmission(seen);
      admitted += next.admit;
      seen = { ...seen, ...next, tendedAt: seen.now, now: seen.now + STEP_MS, steps: [] };
    }
    expect(admitted).toBeGreaterThanOrEqual(59);
    expect(admitted).toBeLessThanOrEqual(61);
  });

  it('[M1] gives machines that are easy more, by addition, and busy ones less, by a factor', () => {
    const rateAt = (busy: number | null) =>
      nextAdmission({ ...calm, tendedAt: calm.now - 1_000, busy }).machineRate;
    expect([rateAt(null), rateAt(0.3), rateAt(0.7), rateAt(0.95)]).toEqual([50, 75, 50, 35]);
    expect(nextAdmission({ ...calm, machineRate: 1, busy: 1 }).machineRate).toBe(1);
  });

  it('[M1] held, stopped or away: nobody comes in, and the time of those who are in stands still', () => {
    const steps: AdmissionStep[] = [[calm.now - TURN_MS + 100, 7]];
    expect(nextAdmission({ ...calm, steps, held: true, credit: 9 })).toMatchObject({ admit: 0, lapsed: 0 });
    const stopped = nextAdmission({ ...calm, steps, isStopped: true });
    expect(stopped).toMatchObject({ admit: 0, lapsed: 0, steps: [[calm.now - TURN_MS + 100 + STEP_MS, 7]] });
    const away = nextAdmission({ ...calm, steps, tendedAt: calm.now - 60_000 });
    expect(away.lapsed).toBe(0);
    expect(away.steps).toEqual([[calm.now - TURN_MS + 60_100, 7]]);
  });

  it('[M1] opened fully, lets everybody in at once', () => {
    expect(nextAdmission({ ...calm, opened: true, held: true, available: 0 }).admit).toBe(1_000);
  });

  it('[M1] after two minutes the turn of those who did not act is over', () => {
    const steps: AdmissionStep[] = [
      [calm.now - TURN_MS - 5_000, 3],
      [calm.now - TURN_MS, 8],
      [calm.now - TURN_MS + 1, 9],
    ];
    expect(nextAdmission({ ...calm, steps, admitted: 9 })).toMatchObject({ lapsed: 8 });
    expect(nextAdmission({ ...calm, steps, admitted: 9 }).steps).toHaveLength(2);
  });
});
