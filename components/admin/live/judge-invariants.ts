import type { InvariantView, Statement } from '@/lib/contract/shapes/live';
import type { InvariantId } from '@/lib/contract/words/invariants';

/** The server recomputes a sale of 100,000 orders every half a minute. A much older result proves nothing about now. */
const OLD_AFTER_MS = 90_000;

type InvariantState = 'holds' | 'broken' | 'old';

/**
 * Judges each invariant, and all of them together. One that held a while ago may not hold now: it is `old`. A broken
 * one stays broken until it is known to hold.
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
  // An older process keeps figures without statements.
  const marks = invariants.map(({ id, ok, statements = [] }) => ({
    id,
    state: ok ? (isOld ? ('old' as const) : ('holds' as const)) : ('broken' as const),
    statements,
  }));
  if (marks.length === 0) return { marks, summary: 'none' };
  if (marks.some(({ state }) => state === 'broken')) return { marks, summary: 'broken' };
  return { marks, summary: isOld ? 'old' : 'holds' };
}
