import type { BuyView } from './buy-view';

export type Announcement =
  | 'tenMinutes'
  | 'oneMinute'
  | 'tenSeconds'
  | 'started'
  | 'buy'
  | 'deciding'
  | 'notIn'
  | 'waiting'
  | 'pay'
  | 'owned'
  | 'soldOut'
  | 'inLine'
  | 'ended'
  | 'paused'
  | 'retrying'
  | 'reserved'
  | 'entryRetrying'
  | 'puzzle'
  | 'puzzleFailed'
  | 'puzzleSolved';

const MARKS: ReadonlyArray<{ leftMs: number; say: Announcement }> = [
  { leftMs: 600_000, say: 'tenMinutes' },
  { leftMs: 60_000, say: 'oneMinute' },
  { leftMs: 10_000, say: 'tenSeconds' },
];

/**
 * Returns what to announce when the time left changes from one value to another: the nearest mark passed on the way,
 * or nothing. Never announces marks that had passed before the visitor opened the page.
 */
export function markPassed(leftBeforeMs: number, leftNowMs: number): Announcement | null {
  if (leftNowMs <= 0) return null;
  const passed = MARKS.filter(({ leftMs }) => leftBeforeMs > leftMs && leftNowMs <= leftMs);
  return passed.at(-1)?.say ?? null;
}

const RESULTS: Partial<Record<BuyView['kind'], Announcement>> = {
  signIn: 'started',
  buy: 'buy',
  deciding: 'deciding',
  waiting: 'waiting',
  pay: 'pay',
  owned: 'owned',
  soldOut: 'soldOut',
  waitlistSignIn: 'soldOut',
  waitlistJoin: 'soldOut',
  waitlistClosed: 'soldOut',
  inLine: 'inLine',
  ended: 'ended',
  paused: 'paused',
  retrying: 'retrying',
  reserved: 'reserved',
  entryRetrying: 'entryRetrying',
};

const REFUSED: ReadonlySet<BuyView['kind']> = new Set<BuyView['kind']>([
  'locked',
  'buy',
  'notEligible',
  'preparing',
]);

/** Returns what to announce when the button changes; nothing for its first state. */
export function resultReached(before: BuyView['kind'], now: BuyView['kind']): Announcement | null {
  if (before === now || before === 'loading') return null;
  // A shopper who waited for a decision hears it, even if the button only shows the reason beside it.
  if (before === 'deciding' && REFUSED.has(now)) return 'notIn';
  return RESULTS[now] ?? null;
}
