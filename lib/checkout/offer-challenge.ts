import 'server-only';
import { issueChallenge } from '@/lib/challenge/issue-challenge';
import type { Challenge } from '@/lib/challenge/types';
import { nowMs } from '@/lib/clock';
import { findSaleInfo } from '@/lib/sale/find-sale-info';

export type OfferResult =
  | { status: 'offered'; challenge: Challenge }
  | { status: 'sale_not_found' }
  | { status: 'not_needed' }
  | { status: 'ended' }
  | { status: 'not_open'; entryOpensAt: number }
  | { status: 'too_many'; retryAfterMs: number }
  | { status: 'busy' };

type Options = {
  /** The shopper wants the calculation instead of the sale's puzzle: for those who can't see or move it. */
  prefersPow?: boolean;
  /** What is known against the visitor, 0 … 1. */
  riskScore?: number;
};

/**
 * Gives a signed-in shopper something to solve before entry, of the sale's kind. Not before entry opens: what was solved
 * earlier could not be used in time anyway.
 */
export async function offerChallenge(
  saleId: string,
  { userId }: { userId: string },
  { prefersPow = false, riskScore = 0 }: Options = {},
): Promise<OfferResult> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return { status: 'sale_not_found' };
  if (sale.challenge === 'none') return { status: 'not_needed' };
  const now = nowMs();
  if (sale.status === 'closed' || now >= sale.endsAt) return { status: 'ended' };
  if (now < sale.entryOpensAt) return { status: 'not_open', entryOpensAt: sale.entryOpensAt };
  const issued = await issueChallenge({ saleId, userId }, prefersPow ? 'pow' : sale.challenge, riskScore);
  return issued.status === 'issued' ? { status: 'offered', challenge: issued.challenge } : issued;
}
