import { expect, it } from 'vitest';
import { createTokenBucket } from './token-bucket';

it('[J4] lets through the burst, then as many as are refilled, and never more than the burst after a rest', () => {
  const bucket = createTokenBucket(100, 5);
  const takeAll = (now: number) => {
    let count = 0;
    while (bucket.take(now)) count += 1;
    return count;
  };
  expect(takeAll(1_000)).toBe(5);
  expect(takeAll(1_009)).toBe(0);
  expect(takeAll(1_011)).toBe(1);
  expect(takeAll(1_042)).toBe(3);
  expect(takeAll(1_000_000)).toBe(5);
});
