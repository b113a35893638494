import { expect, it } from 'vitest';
import { RETRY_FOR_MS, retryWaitMs } from './retry-wait';

it('[O6] waits grow from seconds to hours, and the last attempt is within a day but not long before its end', () => {
  let [age, attempts, last] = [0, 1, 0];
  for (let wait = retryWaitMs(attempts, age); wait !== null; wait = retryWaitMs(attempts, age)) {
    expect(wait).toBeGreaterThanOrEqual(last);
    [age, attempts, last] = [age + wait, attempts + 1, wait];
  }
  expect(age).toBeLessThanOrEqual(RETRY_FOR_MS);
  expect(age).toBeGreaterThan(RETRY_FOR_MS / 2);
  expect(attempts).toBe(11);
});
