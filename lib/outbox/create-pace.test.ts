import { expect, it } from 'vitest';
import { createPace } from './create-pace';

it('[E2] the first purchase leaves at once, the next ones wait for each other', () => {
  const pace = createPace();
  expect(pace.waitMs(0)).toBe(0);
  pace.hold(0);
  expect(pace.waitMs(10)).toBe(90);
  expect(pace.waitMs(100)).toBe(0);
});

it('[E2] while an event is not written, the next one grows; for a second at most', () => {
  const pace = createPace();
  pace.hold(0, '11');
  expect(pace.takeAwaited(50)).toBeUndefined();
  expect(pace.waitMs(150)).toBe(50);
  expect(pace.takeAwaited(150)).toBe('11');
  expect(pace.takeAwaited(160)).toBeUndefined();
  pace.release(new Set(['12']));
  expect(pace.takeAwaited(250)).toBe('11');
  expect(pace.waitMs(980)).toBe(20);
  expect(pace.waitMs(1_000)).toBe(0);
  pace.release(new Set(['11']));
  expect(pace.takeAwaited(1_100)).toBeUndefined();
  expect(pace.waitMs(500)).toBe(0);
});

it('[E2] an event that is written soon does not shorten the shortest wait', () => {
  const pace = createPace();
  pace.hold(0, '11');
  pace.release(new Set(['11']));
  expect(pace.waitMs(90)).toBe(10);
  expect(pace.waitMs(100)).toBe(0);
});
