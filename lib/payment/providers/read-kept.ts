import 'server-only';
import pLimit from 'p-limit';
import type { KeptPage } from './kept-pages';

/** Up to so many pages are read one by one, at once; more are looked for in the provider's list first. */
const ONE_BY_ONE = 8;

/**
 * Reads pages of payments at a provider. @param list reads many of them, by the provider's ids; it may leave some out
 * @returns what the provider says, by the payment's id
 */
export async function readKept<T>(
  kept: readonly KeptPage[],
  list: (kept: readonly KeptPage[]) => Promise<Map<string, T>>,
  read: (pageId: string) => Promise<T>,
): Promise<Map<string, T>> {
  const listed = kept.length > ONE_BY_ONE ? await list(kept) : new Map<string, T>();
  const limit = pLimit(ONE_BY_ONE);
  const found = await Promise.all(
    kept.map(
      async ({ paymentId, pageId }) =>
        [paymentId, listed.get(pageId) ?? (await limit(() => read(pageId)))] as const,
    ),
  );
  return new Map(found);
}
