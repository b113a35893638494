import { expect } from 'vitest';

/**
 * Stops the product and expects that every part ended by itself. What it said meanwhile is the message if not.
 * @param {{ stop: () => Promise<{ isClean: boolean, seconds: number, said: string }> }} product
 * @returns {Promise<number>} how long that took, in seconds
 */
export async function expectCleanStop(product) {
  const { isClean, seconds, said } = await product.stop();
  expect(isClean, said).toBe(true);
  return seconds;
}
