import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { type ChallengeKind, PUZZLES } from '@/lib/contract/words/challenge';
import type { Requester } from '../risk/limit-request';
import { isChallengedByRisk } from '../risk/risk-of';

/**
 * Lists the challenges a shopper may solve before entry: the sale's own, or a calculation if a risk rule asks for
 * one. The first is the one asked for; the others may replace it. A shopper who can't do a puzzle may do one for
 * another sense. The calculation asks for nothing but time and is an alternative only where the sale allows it.
 * Empty: no challenge.
 */
export function challengesFor(
  { challenge, challengeAlternative }: Pick<SaleInfo, 'challenge' | 'challengeAlternative'>,
  requester: Requester,
): readonly ChallengeKind[] {
  if (challenge === 'none') return isChallengedByRisk(requester) ? ['pow'] : [];
  if (challenge === 'pow') return ['pow'];
  const others = PUZZLES.filter((puzzle) => puzzle !== challenge);
  return [challenge, ...others, ...(challengeAlternative === 'calculation' ? (['pow'] as const) : [])];
}
