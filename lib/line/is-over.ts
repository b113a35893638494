import type { Places } from './places';
import { type LineEntry, type LineHead, TURN_MS } from './types';

/**
 * Tells whether somebody's turn is over: it came and was not used within two minutes; or it was, and the two minutes for
 * buying are over too.
 * @param places null before the shuffle: nobody's turn has come
 * @param now epoch ms
 */
export function isOver(
  { lapsed }: Pick<LineHead, 'lapsed'>,
  { number, enteredAt }: Pick<LineEntry, 'number' | 'enteredAt'>,
  places: Places | null,
  now: number,
): boolean {
  if (enteredAt !== null) return now >= enteredAt + TURN_MS;
  return places !== null && places.placeOf(number) < lapsed;
}
