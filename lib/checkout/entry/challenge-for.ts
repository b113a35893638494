import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { type ChallengeKind, PUZZLES } from '@/lib/contract/words/challenge';
import type { Requester } from '../risk/limit-request';
import { isChallengedByRisk } from '../risk/risk-of';

/**
 * What somebody has to solve before entry: what the sale asks of everybody, or a calculation if a risk rule asks for one.
 * The first is what is asked; the others may be done instead. Whoever can't do a puzzle may do another, of another sense; the
 * calculation, which asks for nothing but time, only where the sale allows it. Empty: nothing.
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
