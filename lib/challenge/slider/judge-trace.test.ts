import { describe, expect, it } from 'vitest';
import { handTrace } from '@/test/support/solve-challenge';
import { judgeTrace, type TracePoint } from './judge-trace';

const AGE_MS = 5_000;
const judge = (trace: readonly TracePoint[]) => judgeTrace(trace, AGE_MS);

/** Makes `count` moves of `dx`, `dt` apart. */
const moves = (count: number, dx: number, dt: number, pauseMs = dt): TracePoint[] =>
  Array.from({ length: count }, (_, at) => [at === 0 ? 0 : pauseMs + (at - 1) * dt, at * dx] as const);

describe('[G5] a trace is plausible', () => {
  it.each([
    ['of a hand', handTrace(180)],
    ['of a quick hand', handTrace(200, 300)],
    ['of a slow hand', handTrace(120, 4_000)],
    ['that goes too far and back', [...handTrace(200), [700, 190], [800, 186]] as TracePoint[]],
    ['of a key that is held down', moves(70, 2, 33, 500)],
    ['of a key pressed evenly', moves(70, 2, 60)],
    [
      'of pages and then steps',
      [
        [0, 25],
        [200, 51],
        [420, 77],
        [600, 102],
        [900, 104],
        [980, 106],
      ],
    ],
  ] as const)('%s', (_, trace) => {
    expect(judge(trace)).toBe('plausible');
  });
});

describe('[G5] a trace is refused', () => {
  it.each([
    ['few', 'without a move', []],
    [
      'few',
      'of a jump',
      [
        [0, 0],
        [400, 180],
      ],
    ],
    ['quick', 'quicker than a hand', handTrace(180, 140)],
    [
      'disordered',
      'that goes back in time',
      [
        [0, 0],
        [200, 40],
        [150, 80],
        [300, 120],
      ],
    ],
    ['longer_than_puzzle', 'longer than the puzzle is old', handTrace(180, AGE_MS + 3_000)],
    ['even', 'at one speed', moves(30, 6, 16)],
    ['even', 'at one speed, rounded', moves(20, 6.5, 16).map(([t, x]): TracePoint => [t, Math.round(x)])],
  ] as const)('%s: %s', (verdict, _, trace) => {
    expect(judge(trace)).toBe(verdict);
  });
});
