import { MAX_PICTURE_BYTES } from '@/lib/contract/words/media';

const KIB = 1024;
/** The limit for every other body. Shoppers' forms and JSON are a few hundred bytes. */
const DEFAULT_BYTES = 64 * KIB;

/** Routes with a smaller or larger limit, in their plainest spelling; any other spelling gets the default. */
const OTHERS: readonly [RegExp, number][] = [
  [/^\/api\/(?:auth\/|register$|email\/)/, 16 * KIB],
  // Holds events of up to 500 orders, and the results of steps.
  [/^\/api\/inngest$/, 4 * KIB * KIB],
  [/^\/api\/admin\/blocks\/import$/, 4 * KIB * KIB],
  [/^\/api\/admin\/media$/, MAX_PICTURE_BYTES],
  [/^\/api\/internal\/revalidate$/, 256 * KIB],
];

/**
 * Returns the largest body, in bytes, of a request that Next answers; a larger body gets 413. The routes' own limits
 * are lower.
 */
export function bodyLimit(path: string): number {
  return OTHERS.find(([pattern]) => pattern.test(path))?.[1] ?? DEFAULT_BYTES;
}
