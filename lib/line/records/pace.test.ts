import { expect, it } from 'vitest';
import { paceOf } from './pace';
import type { AdmissionStep } from './types';

const NOW = 10_000_000;
/** @param perPart people admitted in each 10 s, the latest first */
const steps = (perPart: number[]): AdmissionStep[] => {
  const made: AdmissionStep[] = [[NOW - perPart.length * 10_000, 0]];
  let admitted = 0;
  [...perPart].reverse().forEach((count, part) => {
    admitted += count;
    made.push([NOW - (perPart.length - part) * 10_000 + 5_000, admitted]);
  });
  return made;
};

it('[M1] measures a steady pace with a small range and an uneven one with a large', () => {
  const even = paceOf(steps([10, 10, 10, 10, 10, 10]), NOW);
  expect(even).toEqual({ least: 51, most: 69 });
  const uneven = paceOf(steps([0, 30, 0, 20, 10, 0]), NOW);
  expect(uneven?.least).toBeLessThan(20);
  expect(uneven?.most).toBeGreaterThan(90);
});

it('[M1] says nothing where nothing is known', () => {
  expect([paceOf([], NOW), paceOf(steps([5]), NOW), paceOf(steps([0, 0, 0]), NOW)]).toEqual([
    null,
    null,
    null,
  ]);
});
