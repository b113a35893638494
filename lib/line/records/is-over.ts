import type { Places } from './places';
import { usedTurnEndsAt } from './turn-ends-at';
import type { LineEntry, LineHead } from './types';

/**
 * Tells whether somebody's turn is over: it came and was not used within two minutes; or it was, and the two minutes for
 * buying are over too. Time that stood still does not count.
 * @param places null before the shuffle: nobody's turn has come
 * @param now epoch ms
 */
export function isOver(
  line: Pick<LineHead, 'lapsed' | 'stoodMs' | 'tendedAt' | 'readAt'>,
  { number, enteredAt, stoodMs }: Pick<LineEntry, 'number' | 'enteredAt' | 'stoodMs'>,
  places: Places | null,
  now: number,
): boolean {
  if (enteredAt !== null) return now >= usedTurnEndsAt(line, { enteredAt, stoodMs });
  return places !== null && places.placeOf(number) < line.lapsed;
}
