import { expect } from 'vitest';
import { startStopwatch } from './stopwatch';

/**
 * Stops the product and expects that every part ended by itself. What it said meanwhile is the message if not.
 * @param {{ stop: () => Promise<{ isClean: boolean, said: string }> }} product
 * @returns {Promise<number>} how long that took, in seconds of ours
 */
export async function expectCleanStop(product) {
  const tookMs = startStopwatch();
  const { isClean, said } = await product.stop();
  expect(isClean, said).toBe(true);
  return tookMs() / 1_000;
}
