import { AREAS } from '@/lib/contract/areas';

const KIB = 1024;
/** The limit for every other body. Shoppers' forms and JSON are a few hundred bytes. */
const DEFAULT_BYTES = 64 * KIB;

/** The operations for which the contract names a limit: `['', 'api', 'admin', 'products', '{productId}']`. */
const OPERATIONS = AREAS.flatMap(({ operations }) => operations).flatMap(({ path, maxBytes }) =>
  maxBytes === undefined ? [] : [{ parts: path.split('/'), maxBytes }],
);

/** Other routes with a smaller or larger limit, in their plainest spelling; any other spelling gets the default. */
const OTHERS: readonly [RegExp, number][] = [
  [/^\/api\/(?:auth\/|register$|email\/)/, 16 * KIB],
  // Holds events of up to 500 orders, and the results of steps.
  [/^\/api\/inngest$/, 4 * KIB * KIB],
  [/^\/api\/internal\/revalidate$/, 256 * KIB],
];

/**
 * Returns the largest body, in bytes, of a request that Next answers; a larger body gets 413. The routes' own limits
 * are no higher.
 */
export function bodyLimit(path: string): number {
  const given = path.split('/');
  const limits = OPERATIONS.filter(({ parts }) => isAt(parts, given)).map(({ maxBytes }) => maxBytes);
  if (limits.length > 0) return Math.max(...limits);
  return OTHERS.find(([pattern]) => pattern.test(path))?.[1] ?? DEFAULT_BYTES;
}

const isAt = (parts: readonly string[], given: readonly string[]): boolean =>
  parts.length === given.length && parts.every((part, at) => part.startsWith('{') || part === given[at]);
