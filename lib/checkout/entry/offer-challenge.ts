import 'server-only';
import { issueChallenge } from '@/lib/challenge/issue-challenge';
import { CHALLENGED_BITS, USUAL_BITS } from '@/lib/challenge/pow/work';
import type { CreateTask } from '@/lib/challenge/types';
import { nowMs } from '@/lib/clock';
import type { OfferedChallenge } from '@/lib/contract/shapes/challenge';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { ChallengeKind } from '@/lib/contract/words/challenge';
import type { RateLimited } from '@/lib/redis/limit-policy';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { limitRequest } from '../risk/limit-request';
import { isChallengedByRisk } from '../risk/risk-of';
import { type Scored, workOf } from '../risk/work-of';
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
 * solved earlier would expire before it could be used. A calculation is as hard as the sale, a rule that challenges the
 * shopper, and the shopper's score ask, whichever asks most.
 * @param wanted the alternative that the shopper would rather do: for those who can't see, hear or move it
 */
export async function offerChallenge(
  saleId: string,
  requester: Scored,
  create: CreateTask,
  wanted?: ChallengeKind,
): Promise<OfferResult> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return { status: 'sale_not_found' };
  const now = nowMs();
  const isOver = sale.status === 'closed' || now >= sale.endsAt;
  const isEarly = now < sale.entryOpensAt;
  const graded = isOver || isEarly ? null : await workOf(saleId, requester);
  const kinds = challengesFor(sale, requester, graded !== null);
  const kind = wanted ?? kinds[0];
  if (!kind || kinds.length === 0) return { status: 'not_needed' };
  if (!kinds.includes(kind)) return { status: 'not_offered', kinds };
  if (isOver) return { status: 'ended' };
  if (isEarly) return { status: 'not_open', entryOpensAt: sale.entryOpensAt };
  const limited = await limitRequest(sale, 'challenge', requester);
  if (limited) return { status: 'rate_limited', limited };
  const owner = { saleId, userId: requester.userId };
  const issued = await issueChallenge(owner, kind, hardest(sale, requester, graded), create);
  if (issued.status !== 'issued') return issued;
  const alternatives = kinds.filter((other) => other !== kind);
  return { status: 'offered', challenge: { ...issued.challenge, alternatives } };
}

/** Returns the bits of a calculation: the most that sale, rules and score ask for. */
function hardest(
  { challenge }: Pick<SaleInfo, 'challenge'>,
  requester: Scored,
  graded: number | null,
): number {
  const ofSale = challenge === 'none' ? 0 : USUAL_BITS;
  return Math.max(ofSale, isChallengedByRisk(requester) ? CHALLENGED_BITS : 0, graded ?? 0);
}
