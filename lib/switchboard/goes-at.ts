import { SIDE_FEATURES } from '@/lib/contract/words/side-feature';

/** How busy a process is at which even the last feature goes. Above it there is nothing left to tell degrees by. */
const LAST_AT = 0.98;

/**
 * Returns how busy a process must be for each feature to go, in their order: from the given load up in even steps.
 * @param shedAbove per cent, 1 to 97; null: load switches nothing off
 */
export function goesAt(shedAbove: number | null): readonly number[] {
  if (shedAbove === null) return [];
  const first = shedAbove / 100;
  const step = (LAST_AT - first) / (SIDE_FEATURES.length - 1);
  return SIDE_FEATURES.map((_, at) => Math.round((first + at * step) * 1_000) / 1_000);
}
