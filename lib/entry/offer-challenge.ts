import 'server-only';
import { issueChallenge } from '@/lib/challenge/issue-challenge';
import type { CreateTask } from '@/lib/challenge/types';
import { nowMs } from '@/lib/clock';
import type { OfferedChallenge } from '@/lib/contract/shapes/challenge';
import type { ChallengeKind } from '@/lib/contract/words/challenge';
import { limitRequest, type Requester } from '@/lib/limit/limit-request';
import type { RateLimited } from '@/lib/redis/limit-policy';
import { isChallengedByRisk } from '@/lib/risk/risk-of';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { challengesFor } from './challenge-for';

export type OfferResult =
  | { status: 'offered'; challenge: OfferedChallenge }
  | { status: 'sale_not_found' }
  | { status: 'not_needed' }
  /** The sale does not offer this kind of challenge. */
  | { status: 'not_offered'; kinds: readonly ChallengeKind[] }
  | { status: 'ended' }
  | { status: 'not_open'; entryOpensAt: number }
  | { status: 'rate_limited'; limited: RateLimited }
  | { status: 'too_many'; retryAfterMs: number }
  | { status: 'busy' };

/**
 * Gives a signed-in shopper a challenge of the sale's kind to solve before entry. Not before entry opens: a challenge
 * solved earlier would expire before it could be used. A shopper challenged by a risk rule gets the longest
 * calculation.
 * @param wanted the alternative that the shopper would rather do: for those who can't see, hear or move it
 */
export async function offerChallenge(
  saleId: string,
  requester: Requester,
  create: CreateTask,
  wanted?: ChallengeKind,
): Promise<OfferResult> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return { status: 'sale_not_found' };
  const kinds = challengesFor(sale, requester);
  const kind = wanted ?? kinds[0];
  if (!kind || kinds.length === 0) return { status: 'not_needed' };
  if (!kinds.includes(kind)) return { status: 'not_offered', kinds };
  const now = nowMs();
  if (sale.status === 'closed' || now >= sale.endsAt) return { status: 'ended' };
  if (now < sale.entryOpensAt) return { status: 'not_open', entryOpensAt: sale.entryOpensAt };
  const limited = await limitRequest(sale, 'challenge', requester);
  if (limited) return { status: 'rate_limited', limited };
  const riskScore = isChallengedByRisk(requester) ? 1 : 0;
  const owner = { saleId, userId: requester.userId };
  const issued = await issueChallenge(owner, kind, riskScore, create);
  if (issued.status !== 'issued') return issued;
  const alternatives = kinds.filter((other) => other !== kind);
  return { status: 'offered', challenge: { ...issued.challenge, alternatives } };
}
