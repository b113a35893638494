import { describe, expect, it } from 'vitest';
import { SIDE_FEATURES, usualMode } from '@/lib/contract/words/side-feature';
import { goesAt } from './goes-at';
import { NO_STEPS, nextSteps, type Steps } from './next-steps';

const BARS = goesAt(80);
const LOOK_MS = 500;

/** Lets `seconds` pass at a load, looking twice a second; returns the level at the end of each second. */
function pass(
  state: { steps: Steps; now: number },
  seconds: number,
  busy: number | ((look: number) => number),
  bars = BARS,
) {
  const levels: number[] = [];
  for (let look = 1; look <= (seconds * 1_000) / LOOK_MS; look += 1) {
    state.now += LOOK_MS;
    const load = typeof busy === 'number' ? busy : busy(look);
    state.steps = nextSteps(state.steps, load, state.now, bars);
    if (look % 2 === 0) levels.push(state.steps.taken.length);
  }
  return levels;
}
const start = () => ({ steps: NO_STEPS, now: 1_000_000 });

describe('the load', () => {
  it('[J6] has each feature go at a load of its own, rising in the stated order', () => {
    expect(BARS).toHaveLength(SIDE_FEATURES.length);
    expect(BARS).toEqual(BARS.toSorted((a, b) => a - b));
    expect(new Set(BARS).size).toBe(BARS.length);
    expect([BARS[0], BARS.at(-1)]).toEqual([0.8, 0.98]);
    expect([SIDE_FEATURES[0], SIDE_FEATURES.at(-1)]).toEqual(['search', 'challenge_pow']);
    expect(goesAt(null)).toEqual([]);
    expect(SIDE_FEATURES.filter((feature) => usualMode(feature) === 'on')).toEqual([
      'challenge_sound',
      'risk',
      'challenge_pow',
    ]);
  });

  it('[J6] takes one feature a second, until the load is bearable', () => {
    const state = start();
    expect(pass(state, 4, 0.79)).toEqual([0, 0, 0, 0]);
    expect(pass(state, 4, 1)).toEqual([1, 2, 3, 4]);
    expect(pass(state, 3, BARS[4] as number)).toEqual([5, 5, 5]);
    expect(pass(state, 12, 1).at(-1)).toBe(SIDE_FEATURES.length);
  });

  it('[J6] gives them back one by one, the last to go first, each after five calm seconds', () => {
    const state = start();
    pass(state, 3, 1);
    const taken = [...state.steps.taken];
    // Below what took the third, but not by enough.
    expect(pass(state, 20, 0.7).at(-1)).toBe(3);
    expect(pass(state, 16, 0.5)).toEqual([3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 0].slice(0, 16));
    expect(taken).toHaveLength(3);
    expect(state.steps.taken).toEqual([]);
  });

  it('[J6] brings everything back to a process that has nothing to do, however low the load is set', () => {
    const state = start();
    expect(pass(state, 20, 1, goesAt(1)).at(-1)).toBe(SIDE_FEATURES.length);
    expect(pass(state, 60, 0, goesAt(1)).at(-1)).toBe(0);
  });

  it('[J6] lets nothing come and go while the load is about there', () => {
    const state = start();
    pass(state, 1, 0.81);
    const around = pass(state, 60, (look) => (look % 6 < 3 ? 0.81 : 0.5));
    expect(new Set(around)).toEqual(new Set([1]));
  });

  it('[J6] is not confused by a clock that was set back', () => {
    const state = start();
    pass(state, 2, 1);
    state.now -= 3_600_000;
    expect(pass(state, 2, 1)).toEqual([3, 4]);
    expect(pass(state, 6, 0.1).at(-1)).toBe(3);
    state.now -= 3_600_000;
    expect(pass(state, 6, 0.1).at(-1)).toBe(2);
  });
});
