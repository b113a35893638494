import 'server-only';
import { z } from 'zod';
import { issueChallenge } from '@/lib/challenge/issue-challenge';
import type { Challenge } from '@/lib/challenge/types';
import { nowMs } from '@/lib/clock';
import type { RateLimited } from '@/lib/redis/limit-policy';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { challengeFor } from './challenge-for';
import { type Asker, limitRequest } from './limit-request';
import { isChallengedByRisk } from './risk-of';

/** The only kind that may be asked for is the one everybody can do; all else is the sale's choice. */
export const offerChallengeSchema = z.object({ kind: z.literal('pow').optional() });

export type OfferResult =
  | { status: 'offered'; challenge: Challenge }
  | { status: 'sale_not_found' }
  | { status: 'not_needed' }
  | { status: 'ended' }
  | { status: 'not_open'; entryOpensAt: number }
  | { status: 'rate_limited'; limited: RateLimited }
  | { status: 'too_many'; retryAfterMs: number }
  | { status: 'busy' };

/**
 * Gives a signed-in shopper something to solve before entry, of the sale's kind. Not before entry opens: what was solved
 * earlier could not be used in time anyway. Whom a risk rule asks for one gets the longest calculation.
 * @param prefersPow the shopper wants the calculation instead of the sale's puzzle: for those who can't see or move it
 */
export async function offerChallenge(
  saleId: string,
  asker: Asker,
  { prefersPow = false }: { prefersPow?: boolean } = {},
): Promise<OfferResult> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return { status: 'sale_not_found' };
  const kind = challengeFor(sale, asker);
  if (!kind) return { status: 'not_needed' };
  const now = nowMs();
  if (sale.status === 'closed' || now >= sale.endsAt) return { status: 'ended' };
  if (now < sale.entryOpensAt) return { status: 'not_open', entryOpensAt: sale.entryOpensAt };
  const limited = await limitRequest(sale, 'challenge', asker);
  if (limited) return { status: 'rate_limited', limited };
  const riskScore = isChallengedByRisk(asker) ? 1 : 0;
  const owner = { saleId, userId: asker.userId };
  const issued = await issueChallenge(owner, prefersPow ? 'pow' : kind, riskScore);
  return issued.status === 'issued' ? { status: 'offered', challenge: issued.challenge } : issued;
}
