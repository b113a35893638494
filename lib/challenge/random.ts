import { randomInt } from 'node:crypto';

/** Random numbers nobody can foretell; what hides an answer must not follow from what was seen before. */

/** A whole number, both ends included. */
export const between = (min: number, max: number): number => randomInt(min, max + 1);

/** A number with two decimals, both ends included: fine enough to draw with. */
export const fraction = (min: number, max: number): number =>
  between(Math.round(min * 100), Math.round(max * 100)) / 100;

/** One of them. @throws RangeError of an empty list. */
export function oneOf<T>(values: readonly T[]): T {
  return values[randomInt(values.length)] as T;
}

/** As many results of `make`. */
export const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
