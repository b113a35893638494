import { request } from '@/components/api/request';
import { hasFreshEntry } from '@/components/attempt/attempt';
import { readAttempt, updateAttempt } from '@/components/attempt/attempt-store';
import { clockStore } from '@/components/clock/clock-store';
import type { ChallengeAnswer } from '@/lib/contract/shapes/challenge';
import { withTabLock } from './tab-lock';

/**
 * Fetches an entry token and keeps it with the attempt. Two tabs share one token: the second tab finds the first
 * one's.
 * @param replaceToken a token the server no longer accepts; never counts as fresh
 * @param challenge the shopper's answer, where the sale wants a challenge
 * @throws ApiProblem with the entry endpoint's refusal
 */
export async function fetchEntry(
  saleId: string,
  key: string,
  signal: AbortSignal,
  replaceToken: string | null = null,
  challenge: ChallengeAnswer | null = null,
): Promise<void> {
  await withTabLock(`${key}:entry`, signal, async () => {
    const known = readAttempt(key);
    const isStillGood = hasFreshEntry(known, clockStore().now()) && known.entry?.entryToken !== replaceToken;
    if (isStillGood) return;
    const entry = await request('POST /api/sales/{saleId}/entry', {
      params: { saleId },
      body: { challenge: challenge ?? undefined },
      signal,
    });
    updateAttempt(key, { entry });
  });
}
