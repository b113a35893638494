import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { type ChallengeKind, PUZZLES } from '@/lib/contract/words/challenge';
import { isOn } from '@/lib/switchboard/is-on';
import type { Requester } from '../risk/limit-request';
import { isChallengedByRisk } from '../risk/risk-of';

/** The puzzles that need eyes. */
const PICTURES: readonly ChallengeKind[] = ['slider', 'arithmetic'];

const isOffered = (kind: ChallengeKind): boolean => isOn(`challenge_${kind}`);

/**
 * Lists the challenges a shopper may solve before entry: the sale's own, or a calculation if a risk rule asks for
 * one. The first is the one asked for; the others may replace it. A shopper who can't do a puzzle may do one for
 * another sense. The calculation asks for nothing but time and is an alternative only where the sale allows it.
 * Empty: no challenge.
 *
 * Kinds that are switched off are left out. If the puzzles that are left need a sense that some lack, the calculation is
 * an alternative too, and it takes the place of pictures where none is left.
 * @param isGraded the shopper's score asks for a calculation
 */
export function challengesFor(
  { challenge, challengeAlternative }: Pick<SaleInfo, 'challenge' | 'challengeAlternative'>,
  requester: Requester,
  isGraded = false,
): readonly ChallengeKind[] {
  if (challenge === 'none')
    return (isGraded || isChallengedByRisk(requester)) && isOffered('pow') ? ['pow'] : [];
  if (challenge === 'pow') return isOffered('pow') ? ['pow'] : [];
  const others = PUZZLES.filter((puzzle) => puzzle !== challenge);
  const puzzles = [challenge, ...others].filter(isOffered);
  const hasPicture = puzzles.some((puzzle) => PICTURES.includes(puzzle));
  const isForAll = hasPicture && puzzles.includes('sound');
  if (!isOffered('pow') || (isForAll && challengeAlternative !== 'calculation')) return puzzles;
  return hasPicture ? [...puzzles, 'pow'] : ['pow', ...puzzles];
}
