import { processWide } from '@/lib/process-wide';
import { shuffle } from '@/lib/shuffle/shuffle';
import { shuffleKey } from '@/lib/shuffle/shuffle-key';
import type { LineHead } from './types';

/** Four bytes a person and direction. Lines are kept as long as this process answers for them. */
const MAX_KEPT = 50;

/** Which number has a place, and which place a number has. */
export type Places = {
  /** @param place 0 or more; beyond the early ones it is the number itself */
  numberAt: (place: number) => number;
  /** @param number 0 or more */
  placeOf: (number: number) => number;
};

type Shuffled = Pick<LineHead, 'saleId' | 'early' | 'shuffledWith'>;
const kept = processWide('line-places', () => new Map<string, { of: string; places: Promise<Places> }>());

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

/**
 * Returns the places of a line: those who came before the start in the order of the shuffle, the others behind them in the
 * order of their numbers. A process computes them once: 200,000 people take some 30 ms and 1.6 MB.
 * @returns null before the shuffle
 */
export function placesOf({ saleId, early, shuffledWith }: Shuffled): Promise<Places> | null {
  if (early === null || !shuffledWith) return null;
  const of = `${early}:${shuffledWith.seed}:${shuffledWith.noncesDigest}:${shuffledWith.beacon}`;
  const known = kept.get(saleId);
  if (known?.of === of) return known.places;
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value as string);
  const places = compute(early, shuffledWith);
  kept.set(saleId, { of, places });
  return places;
}

async function compute(early: number, { seed, noncesDigest, beacon }: Used): Promise<Places> {
  const key = await shuffleKey({ seed: bytes(seed), noncesDigest: bytes(noncesDigest), beacon });
  const order = await shuffle(key, early);
  const placeOf = new Uint32Array(early);
  order.forEach((number, place) => {
    placeOf[number] = place;
  });
  return {
    numberAt: (place) => order[place] ?? place,
    placeOf: (number) => placeOf[number] ?? number,
  };
}
type Used = NonNullable<LineHead['shuffledWith']>;
