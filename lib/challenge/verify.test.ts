import { describe, expect, it } from 'vitest';
import { handTrace, solve } from '@/test/support/solve-challenge';
import { verifyArithmetic } from './arithmetic/verify-arithmetic';
import { createPow } from './pow/create-pow';
import { verifyPow } from './pow/verify-pow';
import { workFor } from './pow/work-for';
import { MAX_X, MIN_GAP_X, TOLERANCE_X } from './slider/geometry';
import { verifySlider } from './slider/verify-slider';
import { verifySound } from './sound/verify-sound';

/** Values that no kind of challenge accepts as an answer. */
const NONSENSE = [
  '',
  ' ',
  'null',
  '[]',
  '{}',
  '"',
  '{"x":',
  'NaN',
  '\u0000',
  'x'.repeat(1_900),
  '['.repeat(1_900),
];

describe('[G4] arithmetic', () => {
  const secret = { kind: 'arithmetic', answer: 42 } as const;
  it.each(['42', ' 42 ', '４２', '٤٢', '042'])('takes %j for 42', (answer) => {
    expect(verifyArithmetic(secret, answer)).toBe(true);
  });
  it.each([...NONSENSE, '41', '-42', '42.0', '4 2', '0x2a', '42e0', '42,42', '00042'])(
    'refuses %j',
    (answer) => {
      expect(verifyArithmetic(secret, answer)).toBe(false);
    },
  );
  it('does not take nothing for zero', () => {
    expect(verifyArithmetic({ kind: 'arithmetic', answer: 0 }, '')).toBe(false);
  });
});

describe('[G4] beeps', () => {
  const secret = { kind: 'sound', counts: [3, 2, 5] } as const;
  const judge = (answer: string) => verifySound({ ...secret, counts: [...secret.counts] }, answer);
  it.each(['325', ' 325 ', '3 2 5', '3, 2, 5', '3，2，5', '３２５', '٣٢٥', '3-2-5'])(
    'takes %j for 3, 2 and 5',
    (answer) => {
      expect(judge(answer)).toBe(true);
    },
  );
  it.each([...NONSENSE, '32', '3255', '352', '3.25', '-325', '0325', '3 2 5 x', '3    2    5', '325,'])(
    'refuses %j',
    (answer) => {
      expect(judge(answer)).toBe(false);
    },
  );
});

describe('[G5] slider', () => {
  const x = 150;
  const judge = (answer: unknown, madeAgoMs = 10_000) =>
    verifySlider(
      { kind: 'slider', x, madeAt: Date.now() - madeAgoMs },
      typeof answer === 'string' ? answer : JSON.stringify(answer),
    );
  it('takes a place as near as a thumb comes, and no further', () => {
    for (const off of [0, 1, -1, TOLERANCE_X, -TOLERANCE_X]) {
      expect(judge({ x: x + off, trace: handTrace(x + off) }), String(off)).toBe(true);
    }
    for (const off of [TOLERANCE_X + 1, -TOLERANCE_X - 1, 60, -60]) {
      expect(judge({ x: x + off, trace: handTrace(x + off) }), String(off)).toBe(false);
    }
  });
  it('refuses the right place without a movement, or with one that ends elsewhere', () => {
    for (const trace of [undefined, [], [[0, x]], handTrace(x - 20), handTrace(x, 20)]) {
      expect(judge({ x, trace })).toBe(false);
    }
  });
  it('refuses a movement longer than the puzzle is old', () => {
    expect(judge({ x, trace: handTrace(x, 8_000) }, 1_000)).toBe(false);
    expect(judge({ x, trace: handTrace(x, 8_000) }, 9_000)).toBe(true);
  });
  it.each([
    ...NONSENSE,
    { x: 'x', trace: handTrace(x) },
    { x: 1e9, trace: handTrace(x) },
    { x, trace: Array.from({ length: 101 }, (_, at) => [at * 10, x]) },
    { x, trace: [[0, 0, 0], ...handTrace(x)] },
    { x, trace: [[-1, 0], ...handTrace(x)] },
  ])('refuses %j', (answer) => {
    expect(judge(answer)).toBe(false);
  });
  it('leaves a guess one chance in ten at most', () => {
    expect((2 * TOLERANCE_X + 1) / (MAX_X - MIN_GAP_X + 1)).toBeLessThan(0.1);
  });
});

describe('[G4] proof of work', () => {
  it('refuses what is no solution, and one of another task', async () => {
    const [{ secret }, other] = await Promise.all([createPow(0), createPow(0)]);
    const { keyPrefix } = other.task.parameters;
    const guesses = [
      { counter: 1, derivedKey: 'ab'.repeat(32) },
      { counter: -1, derivedKey: 'ab'.repeat(32) },
      { counter: 2 ** 32, derivedKey: 'ab'.repeat(32) },
      // The part of the key that the task shows, filled up with zeros.
      { counter: 1, derivedKey: keyPrefix + '0'.repeat(64 - keyPrefix.length) },
    ].map((guess) => JSON.stringify(guess));
    for (const answer of [...NONSENSE, ...guesses]) expect(verifyPow(secret, answer), answer).toBe(false);
  });
  it('takes the solution that a browser finds, of this task alone', async () => {
    const [{ task, secret }, other] = await Promise.all([createPow(0), createPow(0)]);
    const answer = await solve(task, secret);
    expect([verifyPow(secret, answer), verifyPow(other.secret, answer)]).toEqual([true, false]);
  });
  it('takes longer the more is known against the visitor', async () => {
    expect([-1, 0, 0.5, 1, 7, Number.NaN].map(workFor)).toEqual([1000, 1000, 4500, 8000, 8000, 8000]);
    expect((await createPow(0)).task.maxTries).toBe(1_500);
    expect((await createPow(1)).task.maxTries).toBe(12_000);
  });
});
