import type { LineState } from '@/lib/contract/shapes/line';

const bytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/**
 * Works out somebody's place from what is public, in the browser: 200,000 people take some 50 ms. So nobody has to ask, and
 * everybody can check.
 * @returns null before the shuffle, and where the browser has no cryptography (pages that are not from a secure address)
 */
export async function computePlace(line: LineState, number: number): Promise<number | null> {
  const { early, shuffledWith } = line;
  if (early === null || !shuffledWith) return null;
  if (number >= early) return number;
  if (!globalThis.crypto?.subtle) return null;
  const [{ shuffle }, { shuffleKey }] = await Promise.all([
    import('@/lib/shuffle/shuffle'),
    import('@/lib/shuffle/shuffle-key'),
  ]);
  const { seed, noncesDigest, beacon } = shuffledWith;
  const key = await shuffleKey({ seed: bytes(seed), noncesDigest: bytes(noncesDigest), beacon });
  return (await shuffle(key, early)).indexOf(number);
}
