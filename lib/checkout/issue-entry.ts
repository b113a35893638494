import 'server-only';
import { nowMs } from '@/lib/clock';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { type ChallengeAnswer, type ChallengeRefusal, requireChallenge } from './require-challenge';

// Outlives the sale a little, so that a purchase accepted in the last second can still be asked about.
const GRACE_MS = 60 * 60 * 1000;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

export type EntryResult =
  | { status: 'entered'; entryToken: string; expiresAt: number }
  | { status: 'sale_not_found' }
  | { status: 'ended' }
  | { status: 'not_open'; entryOpensAt: number }
  | { status: 'level_too_low'; minLevel: number }
  | ChallengeRefusal;

/**
 * Lets a signed-in shopper in: everything that is expensive to check is checked here, before the start, and the answer
 * is a token that the purchase can check in microseconds. Each token is good for one purchase.
 * @param user who asks; `level` is the member level now
 * @param answer to the challenge, where the sale wants one
 */
export async function issueEntry(
  saleId: string,
  user: { userId: string; level: number },
  answer?: ChallengeAnswer,
): Promise<EntryResult> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return { status: 'sale_not_found' };
  const now = nowMs();
  if (sale.status === 'closed' || now >= sale.endsAt) return { status: 'ended' };
  if (now < sale.entryOpensAt) return { status: 'not_open', entryOpensAt: sale.entryOpensAt };
  if (user.level < sale.minLevel) return { status: 'level_too_low', minLevel: sale.minLevel };
  // Last, because a right answer can't be given twice.
  const challengeRefusal = await requireChallenge(sale, user.userId, answer);
  if (challengeRefusal) return challengeRefusal;

  const expiresAt = Math.min(sale.endsAt + GRACE_MS, now + MAX_AGE_MS);
  const claims = { userId: user.userId, saleId, level: user.level, jti: newId('jti'), expiresAt, device: '' };
  return { status: 'entered', entryToken: signEntryToken(claims), expiresAt };
}
