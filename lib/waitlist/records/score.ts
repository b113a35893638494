/** More than any number of a place; `parts/place.lua` has the same. */
const OF_VARIANT = 1e12;

/** Returns the score of a place in the sorted set of those who wait: places of one variant stand together, in their order. */
export const scoreOf = (variant: number, number: number): number => variant * OF_VARIANT + number;

/** Returns the place that has a score. */
export const fromScore = (score: string): { variant: number; number: number } => ({
  variant: Math.floor(Number(score) / OF_VARIANT),
  number: Number(score) % OF_VARIANT,
});

/** Returns the range of scores of a variant's places up to a number, which is left out; all without one. */
export const scoresOf = (variant: number, before = OF_VARIANT): [from: number, to: string] => [
  scoreOf(variant, 0),
  `(${scoreOf(variant, before)}`,
];
