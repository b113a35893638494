import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { type ChallengeKind, PUZZLES } from '@/lib/contract/words/challenge';
import type { Requester } from '@/lib/limit/limit-request';
import { isChallengedByRisk } from '@/lib/risk/risk-of';
import { isOn } from '@/lib/switchboard/is-on';

/** The puzzles that need eyes. */
const PICTURES: readonly ChallengeKind[] = ['slider', 'arithmetic'];

const isOffered = (kind: ChallengeKind): boolean => isOn(`challenge_${kind}`);

/**
 * Lists the challenges before entry: first the one asked for, the sale's own or a calculation for a risk rule, then
 * those that may replace it. Empty: none. A puzzle may be replaced by one for another sense, and by a calculation where
 * the sale allows it, or where the puzzles left on need a sense that some lack.
 */
export function challengesFor(
  { challenge, challengeAlternative }: Pick<SaleInfo, 'challenge' | 'challengeAlternative'>,
  requester: Requester,
): readonly ChallengeKind[] {
  if (challenge === 'none') return isChallengedByRisk(requester) && isOffered('pow') ? ['pow'] : [];
  if (challenge === 'pow') return isOffered('pow') ? ['pow'] : [];
  const others = PUZZLES.filter((puzzle) => puzzle !== challenge);
  const puzzles = [challenge, ...others].filter(isOffered);
  const hasPicture = puzzles.some((puzzle) => PICTURES.includes(puzzle));
  const isForAll = hasPicture && puzzles.includes('sound');
  if (!isOffered('pow') || (isForAll && challengeAlternative !== 'calculation')) return puzzles;
  return hasPicture ? [...puzzles, 'pow'] : ['pow', ...puzzles];
}
