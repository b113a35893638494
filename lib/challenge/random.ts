import { randomInt } from 'node:crypto';

/** Random numbers that nobody can predict: a client must not be able to derive an answer from earlier ones. */

/** Returns a whole number, both ends included. */
export const between = (min: number, max: number): number => randomInt(min, max + 1);

/** Returns a number with two decimals, both ends included: fine enough to draw with. */
export const fraction = (min: number, max: number): number =>
  between(Math.round(min * 100), Math.round(max * 100)) / 100;

/** Picks one of them. @throws RangeError of an empty list. */
export function oneOf<T>(values: readonly T[]): T {
  return values[randomInt(values.length)] as T;
}

/** Calls `make` `count` times and returns the results. */
export const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
