import 'server-only';
import { type Counter, countEvents } from './count-events';
import { countMember } from './count-members';
import { findHits } from './find-hits';
import { keepPeak } from './keep-peak';
import type { Note } from './noted';
import type { RiskHit } from './types';
import { knownRisk, windowsOf } from './watch-risk';

/**
 * Counts a note in every window that a rule looks at, and returns the rules that this hits.
 * @param atMs when it happened, if it counts orders or accounts; now if left out
 * @throws connection errors of Redis; then a member may safely be counted again, but events may count twice.
 */
export async function countNote(note: Note, atMs?: number): Promise<(RiskHit & { saleId: string })[]> {
  const { metric, kind, value, saleId, times, member, why } = note;
  const { rules } = knownRisk();
  const hits = await Promise.all(
    windowsOf(metric, kind).map(async (windowSec) => {
      const counter: Counter = { metric, windowSec, kind, value };
      const count = await countUp(counter);
      await keepPeak(counter, count, rules);
      return findHits(rules, counter, count);
    }),
  );
  return hits.flat().map((hit) => ({ ...hit, saleId, ...(why ? { why } : {}) }));

  function countUp(counter: Counter): Promise<number> | number {
    // A score was measured by the request itself.
    if (metric === 'score') return times;
    return member === undefined ? countEvents(counter, times) : countMember(counter, member, atMs);
  }
}
