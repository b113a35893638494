import type { LineView } from './line-view';

/** The announcements for a screen reader: each new situation, and a few marks on the way. */
export type LineNews =
  | 'joined'
  | 'shuffled'
  | 'near'
  | 'nearer'
  | 'next'
  | 'turn'
  | 'over'
  | 'held'
  | 'goesOn'
  | 'unlikely';

const MARKS: readonly { ahead: number; say: LineNews }[] = [
  { ahead: 100, say: 'near' },
  { ahead: 20, say: 'nearer' },
  { ahead: 5, say: 'next' },
];

/** Returns what changed that is worth saying; null for all the rest. */
export function lineNews(before: LineView, now: LineView): LineNews | null {
  if (before.kind === 'loading') return null;
  if (now.kind !== before.kind) {
    if (now.kind === 'gathering') return 'joined';
    if (now.kind === 'waiting')
      return before.kind === 'joining' || before.kind === 'join' ? 'joined' : 'shuffled';
    if (now.kind === 'turn') return 'turn';
    return now.kind === 'over' ? 'over' : null;
  }
  if (now.kind !== 'waiting' || before.kind !== 'waiting') return null;
  if (now.isHeld !== before.isHeld) return now.isHeld ? 'held' : 'goesOn';
  if (now.outlook === 'unlikely' && before.outlook !== 'unlikely') return 'unlikely';
  return MARKS.findLast(({ ahead }) => before.ahead > ahead && now.ahead <= ahead)?.say ?? null;
}
