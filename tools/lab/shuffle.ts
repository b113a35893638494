import { createRandom } from '@/tools/harness/random';

/** Shuffles a list (Fisher–Yates). @returns a new list, the same one for the same seed. */
export function shuffle<T>(items: readonly T[], seed: number): T[] {
  const shuffled = [...items];
  const random = createRandom(seed);
  for (let i = shuffled.length - 1; i > 0; i -= 1) {
    const j = random.int(0, i);
    [shuffled[i], shuffled[j]] = [shuffled[j] as T, shuffled[i] as T];
  }
  return shuffled;
}
