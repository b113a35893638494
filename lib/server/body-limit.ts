const KIB = 1024;
/** Every other body. Forms and JSON of shoppers are a few hundred bytes. */
const DEFAULT_BYTES = 64 * KIB;

/** Where a route wants less or more, in its plainest spelling; any other spelling gets the default. */
const OTHERS: readonly [RegExp, number][] = [
  [/^\/api\/(?:auth\/|register$|email\/)/, 16 * KIB],
  // Events of up to 500 orders, and the results of steps.
  [/^\/api\/inngest$/, 4 * KIB * KIB],
  [/^\/api\/admin\/blocks\/import$/, 4 * KIB * KIB],
  [/^\/api\/internal\/revalidate$/, 256 * KIB],
];

/** The largest body of a request that Next answers, in bytes; 413 to more. The routes' own limits are below it. */
export function bodyLimit(path: string): number {
  return OTHERS.find(([pattern]) => pattern.test(path))?.[1] ?? DEFAULT_BYTES;
}
