import 'server-only';
import { readMoving } from './read-moving';
import { sumUp, unlessAway } from './sum-up';
import type { Stock } from './types';

type Part = Pick<Stock, 'total' | 'available' | 'paused' | 'closed'>;

/**
 * Reads the slices of a split sale and adds up what they have for sale, with units on their way between them: paused if one
 * is, closed if all are. `read` are those that could be read. @returns as `sumUp` @throws as `sumUp`
 */
export async function readSlicesTogether<T extends Part>(
  stocks: readonly string[],
  readOne: (stockId: string) => Promise<T | null>,
): Promise<(Part & { read: [T, ...T[]] }) | null> {
  const slices = sumUp(await unlessAway(stocks.map(readOne)));
  if (!slices) return null;
  const { read } = slices;
  const moving = slices.available === 0 ? await readMoving(stocks) : 0;
  return {
    read,
    total: slices.total + moving,
    available: slices.available + moving,
    paused: read.some(({ paused }) => paused),
    closed: read.every(({ closed }) => closed),
  };
}
