import { setTimeout as delay } from 'node:timers/promises';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { type RawAnswer, rawGet } from './raw-get';

/** For tests: makes a user's entry token for a sale, good for an hour. */
export const tokenFor = (saleId: string, userId: string, expiresAt = Date.now() + 3_600_000): string =>
  signEntryToken({ userId, saleId, level: 0, jti: newId('jti'), expiresAt, device: '' });

/** For tests: sends one purchase over HTTP; `body` is the parsed answer. */
export async function sendPurchase(
  origin: string,
  { saleId, gate }: { saleId: string; gate: string },
  token: string,
): Promise<{ status: number; body: Record<string, unknown>; raw: RawAnswer }> {
  const raw = await rawGet(
    `${origin}/api/sales/${saleId}/purchase/${gate}`,
    { 'x-entry-token': token, 'content-length': '0' },
    { method: 'POST' },
  );
  return { status: raw.status, body: JSON.parse(raw.body.toString()) as Record<string, unknown>, raw };
}

const PATIENCE_MS = 60_000;

/**
 * For tests: sends a purchase as a page does: again with the same token, for as long as the answer says so. A busy machine
 * may answer 503 at first.
 */
export async function insistOnPurchase(
  ...asked: Parameters<typeof sendPurchase>
): ReturnType<typeof sendPurchase> {
  for (const until = performance.now() + PATIENCE_MS; ; ) {
    const answer = await sendPurchase(...asked);
    if (answer.status !== 503 || performance.now() > until) return answer;
    await delay(100);
  }
}
