/** When a beacon began, and how often it gives a value; both in seconds, as drand's `/info` says. */
type Schedule = { genesisSec: number; periodSec: number };

/**
 * Returns the first round that a beacon gives after a moment. It follows from the clock alone, so everybody knows it
 * before, and nobody can choose another one afterwards.
 * @param at epoch ms
 * @returns the round, 1 or more, and when it is due, epoch ms
 */
export function roundAfter(
  { genesisSec, periodSec }: Schedule,
  at: number,
): { round: number; dueAt: number } {
  const round = Math.max(1, Math.floor((at / 1000 - genesisSec) / periodSec) + 2);
  return { round, dueAt: (genesisSec + (round - 1) * periodSec) * 1000 };
}
