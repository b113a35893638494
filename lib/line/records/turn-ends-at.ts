import { type AdmissionStep, type LineEntry, type LineHead, TURN_MS, WORKER_AWAY_AFTER_MS } from './types';

/**
 * Returns for how long the time of those who were let in has stood still in all, ms: while the sale could not sell, which a
 * worker notes, and since the last worker looked, if that is too long ago.
 */
export function timeStood({ stoodMs, tendedAt, readAt }: LineClock): number {
  const awayMs = tendedAt === null ? 0 : readAt - tendedAt;
  return stoodMs + (awayMs > WORKER_AWAY_AFTER_MS ? awayMs : 0);
}
type LineClock = Pick<LineHead, 'stoodMs' | 'tendedAt' | 'readAt'>;

/** Returns when the turn of a place ends that was used at `enteredAt`, epoch ms. */
export const usedTurnEndsAt = (line: LineClock, { enteredAt, stoodMs: before }: Used): number =>
  enteredAt + TURN_MS + (before === null ? 0 : Math.max(0, timeStood(line) - before));
type Used = { enteredAt: number; stoodMs: LineEntry['stoodMs'] };

/** Returns when the turn of a place ends that was not used yet, epoch ms; null: it has not come, or came long ago. */
export function turnEndsAt(steps: readonly AdmissionStep[], place: number): number | null {
  const step = steps.find(([, admitted]) => admitted > place);
  return step ? step[0] + TURN_MS : null;
}
