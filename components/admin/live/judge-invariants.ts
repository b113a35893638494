import type { InvariantView, Statement } from '@/lib/contract/shapes/live';
import type { InvariantId } from '@/lib/contract/words/invariants';

/** A sale of 100,000 orders is recomputed every half a minute; what is much older proves nothing about now. */
const OLD_AFTER_MS = 90_000;

type InvariantState = 'holds' | 'broken' | 'old';

/**
 * What may be said of each invariant, and of all of them: what held a while ago may not hold now, what was broken is
 * said until it is known to hold.
 * @param verifiedAt @param now epoch ms by the server's clock
 */
export function judgeInvariants(
  invariants: readonly InvariantView[],
  verifiedAt: number | null,
  now: number,
): {
  marks: { id: InvariantId; state: InvariantState; statements: Statement[] }[];
  summary: InvariantState | 'none';
} {
  const isOld = verifiedAt === null || now - verifiedAt > OLD_AFTER_MS;
  // Figures kept by an older process come without statements.
  const marks = invariants.map(({ id, ok, statements = [] }) => ({
    id,
    state: ok ? (isOld ? ('old' as const) : ('holds' as const)) : ('broken' as const),
    statements,
  }));
  if (marks.length === 0) return { marks, summary: 'none' };
  if (marks.some(({ state }) => state === 'broken')) return { marks, summary: 'broken' };
  return { marks, summary: isOld ? 'old' : 'holds' };
}
